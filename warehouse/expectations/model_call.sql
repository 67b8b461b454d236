SELECT c.part, c.attempt_id, c.position, c.kind, c.sha256 = '' OR length(c.sha256) = 64 AS is_a_hash,
    c.cost_usd, c.output, a.attempt_id IS NOT NULL AS attempt_landed
FROM model_call c
LEFT JOIN attempt a USING (attempt_id)
