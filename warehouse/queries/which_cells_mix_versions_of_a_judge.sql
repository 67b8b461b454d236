-- Cells whose counted verdicts are by several versions of one judge profile: their scores are no scores until all are judged by one.
SELECT run_id, cell, judge_profile, coalesce(nullif(profile_version, ''), 'unknown') AS profile_version,
    count(*) AS attempts, CAST(sum(criteria) AS BIGINT) AS criteria, max(judged_utc) AS last_judged_utc
FROM scored_attempts
GROUP BY run_id, cell, judge_profile, coalesce(nullif(profile_version, ''), 'unknown')
QUALIFY count(*) OVER (PARTITION BY run_id, cell, judge_profile) > 1
ORDER BY run_id, cell, judge_profile, last_judged_utc, profile_version
