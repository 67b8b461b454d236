SELECT m.part, m.attempt_id, m.role, m.sha256, m.requests > 0 AS was_sent, length(m.sha256) = 64 AS is_a_hash,
    a.attempt_id IS NOT NULL AS attempt_landed
FROM message_sent m
LEFT JOIN attempt a USING (attempt_id)
