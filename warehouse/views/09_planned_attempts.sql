-- The attempts at what the latest start of their run planned, failed and retried ones included. An attempt under
-- another key (of another version of the stages, say) is kept and does not count. A run without a plan landed before
-- plans did: all its attempts stand.
CREATE OR REPLACE VIEW planned_attempts AS
WITH planned AS (
    SELECT run_id, cell, work_key FROM plan QUALIFY started_utc = max(started_utc) OVER (PARTITION BY run_id)
)
SELECT a.*
FROM attempt a
LEFT JOIN attempt_key k USING (attempt_id)
WHERE a.run_id NOT IN (SELECT run_id FROM planned)
    OR (a.run_id, a.cell, k.work_key) IN (SELECT (run_id, cell, work_key) FROM planned);
