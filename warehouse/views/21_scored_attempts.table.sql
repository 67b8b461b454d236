-- Scores of an attempt under a judge profile, recomputed from the verdicts of the profile's latest judgement.
-- pass_rate leaves unscored criteria out; an attempt with an unscored criterion is never all-pass.
CREATE OR REPLACE TABLE scored_attempts AS
WITH counts AS (
    SELECT attempt_id, judge_profile, max(judged_utc) AS judged_utc,
        count(*) AS criteria,
        count(*) FILTER (status = 'pass') AS passed,
        count(*) FILTER (status = 'fail') AS failed,
        count(*) FILTER (status = 'unscored') AS unscored,
        count(*) FILTER (status = 'fail' AND quoted) AS quoted_failed
    FROM scored_criteria
    GROUP BY attempt_id, judge_profile
)
SELECT
    a.run_id, a.cell, c.judge_profile, a.area, a.work_type, a.matter_id, a.title AS matter_title, a.epoch, c.attempt_id,
    c.criteria, c.passed, c.failed, c.unscored, c.quoted_failed,
    c.passed / nullif(c.passed + c.failed, 0) AS pass_rate,
    c.passed = c.criteria AS all_pass,
    c.judged_utc, coalesce(j.profile_version, '') AS profile_version
FROM counts c
JOIN counted_attempts a USING (attempt_id)
LEFT JOIN judgement j USING (attempt_id, judge_profile, judged_utc);
