SELECT f.part, f.attempt_id, f.position, f.moment, a.attempt_id IS NOT NULL AS attempt_landed
FROM mechanism_firing f
LEFT JOIN attempt a USING (attempt_id)
