SELECT k.part, k.attempt_id, a.attempt_id IS NOT NULL AS attempt_landed
FROM attempt_key k
LEFT JOIN attempt a USING (attempt_id)
