-- The attempt that speaks for a matter and epoch of a cell. A retry follows a failure of infrastructure, so the
-- first attempt that did not fail counts (not the best one); where all failed, the last. Costs count them all.
-- First and last go by the number at the end of the id: a clock that was set back must not reorder attempts.
CREATE OR REPLACE TABLE counted_attempts AS
WITH numbered AS (
    SELECT *, coalesce(TRY_CAST(regexp_extract(attempt_id, '/(\d+)$', 1) AS BIGINT), 0) AS number FROM planned_attempts
)
SELECT * EXCLUDE (number),
    count(*) OVER (PARTITION BY run_id, cell, matter_id, epoch) AS n_tries
FROM numbered
QUALIFY row_number() OVER (
    PARTITION BY run_id, cell, matter_id, epoch
    ORDER BY
        outcome = 'failed',
        CASE WHEN outcome = 'failed' THEN -number ELSE number END,
        CASE WHEN outcome = 'failed' THEN -epoch_us(ended_utc) ELSE epoch_us(ended_utc) END,
        attempt_id
) = 1;
