-- The runs of this warehouse.
SELECT * FROM runs ORDER BY began_utc, run_id
