-- Criteria that were scored several times by one version of a judge: in several epochs of a cell (the answer may differ, and
-- the judge), or in several judgements of one attempt (nothing was drafted anew, so what differs is the judge). What was
-- scored fewer than twice by one version is left out: verdicts of two versions are no repetition.
CREATE OR REPLACE VIEW repeated_scores AS
WITH tried_again AS (
    SELECT run_id, cell, matter_id FROM counted_attempts
    GROUP BY run_id, cell, matter_id HAVING min(epoch) < max(epoch)
),
judged_again AS (
    SELECT attempt_id, judge_profile FROM verdict
    GROUP BY attempt_id, judge_profile HAVING min(judged_utc) < max(judged_utc)
)
SELECT 'epochs' AS over, s.run_id, s.cell, s.judge_profile, s.matter_id, '' AS attempt_id, s.criterion_id,
    count(*) AS n, count(*) FILTER (s.status = 'pass') AS passed
FROM scored_criteria s
SEMI JOIN tried_again USING (run_id, cell, matter_id)
LEFT JOIN judgement j USING (attempt_id, judge_profile, judged_utc)
WHERE s.status <> 'unscored'
GROUP BY s.run_id, s.cell, s.judge_profile, coalesce(j.profile_version, ''), s.matter_id, s.criterion_id
HAVING count(*) > 1
UNION ALL
SELECT 'judgements', a.run_id, a.cell, v.judge_profile, a.matter_id, v.attempt_id, v.criterion_id,
    count(*), count(*) FILTER (v.status = 'pass')
FROM verdict v
SEMI JOIN judged_again USING (attempt_id, judge_profile)
JOIN counted_attempts a USING (attempt_id)
LEFT JOIN judgement j USING (attempt_id, judge_profile, judged_utc)
WHERE v.status <> 'unscored'
GROUP BY a.run_id, a.cell, v.judge_profile, coalesce(j.profile_version, ''), a.matter_id, v.attempt_id, v.criterion_id
HAVING count(*) > 1;
