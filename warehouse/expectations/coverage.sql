SELECT c.part, c.attempt_id, c.document, c.status, c.characters, a.attempt_id IS NOT NULL AS attempt_landed
FROM coverage c
LEFT JOIN attempt a USING (attempt_id)
