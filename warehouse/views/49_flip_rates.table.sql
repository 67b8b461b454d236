-- How often criteria flip, by cell and judge: over epochs, and over judgements of one attempt. Differ is the chance that two
-- of the scores of a criterion differ; what each matter counts is listed for intervals.
CREATE OR REPLACE TABLE flip_rates AS
WITH by_matter AS (
    SELECT over, run_id, cell, judge_profile, matter_id, count(*) AS criteria, max(n) AS times,
        count(*) FILTER (passed BETWEEN 1 AND n - 1) AS flipped,
        sum(2 * passed * (n - passed) / (n * (n - 1))) AS differ
    FROM repeated_scores
    GROUP BY over, run_id, cell, judge_profile, matter_id
)
SELECT over, run_id, cell, judge_profile, count(*) AS matters, max(times) AS times,
    CAST(sum(criteria) AS BIGINT) AS criteria, CAST(sum(flipped) AS BIGINT) AS flipped,
    sum(flipped) / sum(criteria) AS flip_rate, sum(differ) / sum(criteria) AS differ_rate,
    list(CAST(flipped AS DOUBLE) ORDER BY matter_id) AS flipped_by_matter,
    list(CAST(criteria AS DOUBLE) ORDER BY matter_id) AS criteria_by_matter
FROM by_matter
GROUP BY over, run_id, cell, judge_profile;
