-- Actions by bucket: read, tool, write, other.
SELECT * FROM action_buckets ORDER BY run_id, cell, bucket
