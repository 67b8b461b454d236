SELECT s.part, s.attempt_id, s.document, s.served <= s.characters AS served_is_a_part, a.attempt_id IS NOT NULL AS attempt_landed
FROM document_served s
LEFT JOIN attempt a USING (attempt_id)
