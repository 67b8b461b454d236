-- The runs, with when each began and how often it was started.
CREATE OR REPLACE VIEW runs AS
WITH started AS (
    SELECT run_id, min(started_utc) AS began_utc, count(*) AS starts, arg_max(corpus, started_utc) AS corpus,
        arg_max(n_matters, started_utc) AS n_matters, arg_max(harness_version, started_utc) AS harness_version
    FROM run GROUP BY run_id
),
solved AS (
    SELECT run_id, min(started_utc) AS first_attempt_utc, max(ended_utc) AS last_ended_utc, count(*) AS attempts,
        any_value(harness_version) AS harness_version
    FROM attempt GROUP BY run_id
)
SELECT
    run_id,
    coalesce(began_utc, first_attempt_utc) AS began_utc,
    last_ended_utc,
    coalesce(starts, 0) AS starts,
    coalesce(corpus, '') AS corpus,
    coalesce(n_matters, 0) AS n_matters,
    coalesce(attempts, 0) AS attempts,
    coalesce(started.harness_version, solved.harness_version, '') AS harness_version
FROM started FULL JOIN solved USING (run_id);
