SELECT g.part, g.attempt_id, g.gate, g.status, g.checked, g.verified, g.verified <= g.checked AS verified_was_checked,
    a.attempt_id IS NOT NULL AS attempt_landed, regexp_full_match(g.gate, '[a-z][a-z_]*') AS gate_is_a_name
FROM gate g
LEFT JOIN attempt a USING (attempt_id)
