-- Criteria without a verdict, by the failure that kept it away.
CREATE OR REPLACE TABLE unscored_causes AS
SELECT
    run_id, cell, judge_profile,
    coalesce(nullif(cause, ''), 'unknown') AS cause,
    count(*) AS criteria,
    count(DISTINCT matter_id) AS matters,
    min(reasoning) AS example
FROM criteria_results
WHERE status = 'unscored'
GROUP BY run_id, cell, judge_profile, coalesce(nullif(cause, ''), 'unknown');
