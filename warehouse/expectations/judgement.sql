SELECT j.part, j.attempt_id, j.judge_profile, epoch_us(j.judged_utc) AS judged, j.criteria,
    a.attempt_id IS NOT NULL AS attempt_landed
FROM judgement j
LEFT JOIN attempt a USING (attempt_id)
