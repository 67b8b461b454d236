-- Scores of an attempt under a judge profile, recomputed from its verdicts.
-- pass_rate leaves unscored criteria out; an attempt with an unscored criterion is never all-pass.
CREATE OR REPLACE VIEW scored_attempts AS
SELECT
    run_id, cell, judge_profile, area, work_type, matter_id, matter_title, epoch, attempt_id,
    count(*) AS criteria,
    count(*) FILTER (status = 'pass') AS passed,
    count(*) FILTER (status = 'fail') AS failed,
    count(*) FILTER (status = 'unscored') AS unscored,
    passed / nullif(passed + failed, 0) AS pass_rate,
    passed = criteria AS all_pass
FROM criteria_results
GROUP BY ALL;
