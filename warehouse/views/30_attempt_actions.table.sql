-- Actions of each attempt by bucket, and how many of them failed: counted once, for a trace is many rows.
CREATE OR REPLACE TABLE attempt_actions AS
SELECT attempt_id, bucket, count(*) AS actions, count(*) FILTER (failed) AS failed
FROM action
GROUP BY attempt_id, bucket;
