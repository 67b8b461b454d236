-- What each cell scored and took under each version of the harness, recomputed from the verdicts: a run keeps to one
-- version, and a learner's candidate has a run of its own. The blended score is that of the study of evolving harnesses:
-- pooled pass plus half of all-pass, less 0.005 for a million tokens an attempt. It is never stored.
CREATE OR REPLACE TABLE harness_scores AS
WITH took AS (
    SELECT run_id, cell, harness_version, min(began_utc) AS began_utc, avg(tokens) AS tokens,
        CASE WHEN count(cost_usd) = count(*) THEN avg(cost_usd) END AS cost_usd,
        CASE WHEN count(free) = count(*) THEN avg(free) END AS cost_cached_free_usd, avg(seconds) AS seconds
    FROM (
        SELECT a.run_id, a.cell, a.harness_version, a.started_utc AS began_utc, w.tokens, w.cost_usd, w.seconds,
            w.cost_cached_free_usd AS free
        FROM counted_attempts a JOIN attempt_work w USING (attempt_id)
    )
    GROUP BY run_id, cell, harness_version
)
SELECT
    t.run_id, t.cell, r.judge_profile, t.harness_version, t.began_utc, r.matters, r.attempts, r.criteria, r.passed,
    r.failed, r.unscored, r.pooled_pass, r.all_pass, t.tokens, t.cost_usd, t.cost_cached_free_usd, t.seconds,
    r.pooled_pass + 0.5 * r.all_pass - 0.005 * t.tokens / 1e6 AS blended
FROM took t
JOIN pass_rates r USING (run_id, cell)
WHERE r.unit = 'cell';
