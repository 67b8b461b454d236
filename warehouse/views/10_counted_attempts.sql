-- The attempt that speaks for a matter and epoch of a cell. A retry follows a failure of infrastructure, so the
-- first attempt that did not fail counts (not the best one); where all failed, the last. Costs count them all.
CREATE OR REPLACE VIEW counted_attempts AS
SELECT *,
    count(*) OVER (PARTITION BY run_id, cell, matter_id, epoch) AS n_tries
FROM planned_attempts
QUALIFY row_number() OVER (
    PARTITION BY run_id, cell, matter_id, epoch
    ORDER BY
        outcome = 'failed',
        CASE WHEN outcome = 'failed' THEN -epoch_us(ended_utc) ELSE epoch_us(ended_utc) END,
        attempt_id
) = 1;
