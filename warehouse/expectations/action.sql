SELECT x.part, x.attempt_id, x.position, x.turn, x.bucket, a.attempt_id IS NOT NULL AS attempt_landed
FROM action x
LEFT JOIN attempt a USING (attempt_id)
