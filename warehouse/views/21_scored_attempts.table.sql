-- Scores of an attempt under a judge profile, recomputed from its verdicts.
-- pass_rate leaves unscored criteria out; an attempt with an unscored criterion is never all-pass.
CREATE OR REPLACE TABLE scored_attempts AS
WITH counts AS (
    SELECT attempt_id, judge_profile,
        count(*) AS criteria,
        count(*) FILTER (status = 'pass') AS passed,
        count(*) FILTER (status = 'fail') AS failed,
        count(*) FILTER (status = 'unscored') AS unscored
    FROM scored_criteria
    GROUP BY attempt_id, judge_profile
)
SELECT
    a.run_id, a.cell, c.judge_profile, a.area, a.work_type, a.matter_id, a.title AS matter_title, a.epoch, c.attempt_id,
    c.criteria, c.passed, c.failed, c.unscored,
    c.passed / nullif(c.passed + c.failed, 0) AS pass_rate,
    c.passed = c.criteria AS all_pass
FROM counts c
JOIN counted_attempts a USING (attempt_id);
