SELECT m.part, m.attempt_id, m.judge_profile, epoch_us(m.judged_utc) AS judged, m.role, m.sha256,
    m.requests > 0 AS was_sent, length(m.sha256) = 64 AS is_a_hash, j.attempt_id IS NOT NULL AS judgement_landed
FROM rescoring_message m
LEFT JOIN judgement j USING (attempt_id, judge_profile, judged_utc)
