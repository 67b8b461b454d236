-- Cells whose counted verdicts are by several versions of one judge profile: their scores are no scores until all are judged by one.
SELECT a.run_id, a.cell, s.judge_profile, coalesce(nullif(j.profile_version, ''), 'unknown') AS profile_version,
    count(DISTINCT s.attempt_id) AS attempts, count(*) AS criteria, max(s.judged_utc) AS last_judged_utc
FROM scored_criteria s
JOIN counted_attempts a USING (attempt_id)
LEFT JOIN judgement j USING (attempt_id, judge_profile, judged_utc)
GROUP BY a.run_id, a.cell, s.judge_profile, coalesce(nullif(j.profile_version, ''), 'unknown')
QUALIFY count(*) OVER (PARTITION BY a.run_id, a.cell, s.judge_profile) > 1
ORDER BY a.run_id, a.cell, s.judge_profile, last_judged_utc, profile_version
