-- The matter is the unit of all-pass: over several epochs its share of all-pass attempts.
CREATE OR REPLACE TABLE scored_matters AS
SELECT
    run_id, cell, judge_profile, area, work_type, matter_id, any_value(matter_title) AS matter_title,
    count(*) AS epochs,
    CAST(sum(criteria) AS BIGINT) AS criteria,
    CAST(sum(passed) AS BIGINT) AS passed,
    CAST(sum(failed) AS BIGINT) AS failed,
    CAST(sum(unscored) AS BIGINT) AS unscored,
    sum(passed) / nullif(sum(passed) + sum(failed), 0) AS pass_rate,
    avg(CAST(all_pass AS INTEGER)) AS all_pass_share
FROM scored_attempts
GROUP BY run_id, cell, judge_profile, area, work_type, matter_id;
