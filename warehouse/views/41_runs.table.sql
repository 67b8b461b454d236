-- The runs, with when each began, how often it was started, what its latest start planned (empty where nothing was), and
-- how many attempts have ended. When a run ended that was imported is empty where nothing tells it.
CREATE OR REPLACE TABLE runs AS
WITH started AS (
    SELECT run_id, min(started_utc) AS began_utc, count(*) AS starts, arg_max(corpus, started_utc) AS corpus,
        arg_max(n_matters, started_utc) AS n_matters, arg_max(harness_version, started_utc) AS harness_version
    FROM run GROUP BY run_id
),
solved AS (
    SELECT run_id, min(started_utc) AS first_attempt_utc, nullif(max(ended_utc), make_timestamp(0)) AS last_ended_utc,
        count(*) AS attempts,
        any_value(harness_version) AS harness_version
    FROM attempt GROUP BY run_id
),
planned AS (
    SELECT run_id, count(*) AS planned
    FROM (SELECT run_id FROM plan QUALIFY started_utc = max(started_utc) OVER (PARTITION BY run_id))
    GROUP BY run_id
)
SELECT
    run_id,
    coalesce(began_utc, first_attempt_utc) AS began_utc,
    last_ended_utc,
    coalesce(starts, 0) AS starts,
    coalesce(corpus, '') AS corpus,
    coalesce(n_matters, 0) AS n_matters,
    planned,
    coalesce(attempts, 0) AS attempts,
    coalesce(started.harness_version, solved.harness_version, '') AS harness_version
FROM started FULL JOIN solved USING (run_id) LEFT JOIN planned USING (run_id);
