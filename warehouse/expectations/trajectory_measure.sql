SELECT m.part, m.attempt_id, m.served <= m.characters AS served_is_a_part, m.documents_opened <= m.documents AS opened_are_some,
    NOT m.wrote_before_reading OR m.first_write_turn > 0 AS who_wrote_first_wrote,
    NOT m.audited_before_finishing OR m.first_write_turn > 0 AS who_audited_wrote,
    m.cached_reads_usd IS NULL OR m.cached_reads_usd <= a.cost_usd + 0.000001 AS cached_reads_are_a_part,
    a.attempt_id IS NOT NULL AS attempt_landed
FROM trajectory_measure m
LEFT JOIN attempt a USING (attempt_id)
