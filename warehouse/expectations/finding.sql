SELECT f.part, f.attempt_id, f.position, f.gate, f.severity, f.start_char <= f.end_char AS span_is_forward,
    f.source_start <= f.source_end AS source_span_is_forward, a.attempt_id IS NOT NULL AS attempt_landed,
    regexp_full_match(f.gate, '[a-z][a-z_]*') AS gate_is_a_name
FROM finding f
LEFT JOIN attempt a USING (attempt_id)
