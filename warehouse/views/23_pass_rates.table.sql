-- Pooled pass (criteria are the unit) and all-pass (matters are the unit) by cell, and by cell and area or work
-- type. Unscored criteria are left out of the pooled rate and counted beside it.
CREATE OR REPLACE TABLE pass_rates AS
SELECT
    run_id, cell, judge_profile,
    CASE WHEN grouping(area) = 0 THEN 'area' WHEN grouping(work_type) = 0 THEN 'work_type' ELSE 'cell' END AS unit,
    CASE WHEN grouping(area) = 0 THEN area WHEN grouping(work_type) = 0 THEN work_type ELSE cell END AS name,
    count(*) AS matters,
    CAST(sum(epochs) AS BIGINT) AS attempts,
    CAST(sum(criteria) AS BIGINT) AS criteria,
    CAST(sum(passed) AS BIGINT) AS passed,
    CAST(sum(failed) AS BIGINT) AS failed,
    CAST(sum(unscored) AS BIGINT) AS unscored,
    sum(passed) / nullif(sum(passed) + sum(failed), 0) AS pooled_pass,
    CASE WHEN sum(passed) + sum(failed) > 0 THEN avg(all_pass_share) END AS all_pass,
    count(*) FILTER (unscored > 0) AS matters_with_unscored
FROM scored_matters
GROUP BY GROUPING SETS (
    (run_id, cell, judge_profile), (run_id, cell, judge_profile, area), (run_id, cell, judge_profile, work_type)
);
