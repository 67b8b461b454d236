-- Actions of the solvers by bucket; per attempt over all counted attempts of the cell that did not fail, with or without
-- actions: an attempt that the provider failed says nothing of how the agent works.
CREATE OR REPLACE TABLE action_buckets AS
WITH attempts AS (
    SELECT run_id, cell, count(*) AS n FROM counted_attempts WHERE outcome <> 'failed' GROUP BY run_id, cell
)
SELECT
    a.run_id, a.cell, x.bucket,
    CAST(sum(x.actions) AS BIGINT) AS actions,
    CAST(sum(x.failed) AS BIGINT) AS failed,
    sum(x.actions) / any_value(n) AS per_attempt,
    sum(x.actions) / sum(sum(x.actions)) OVER (PARTITION BY a.run_id, a.cell) AS share
FROM attempt_actions x
JOIN counted_attempts a USING (attempt_id)
JOIN attempts USING (run_id, cell)
WHERE a.outcome <> 'failed'
GROUP BY a.run_id, a.cell, x.bucket;
