SELECT
    v.part, v.attempt_id, v.judge_profile, epoch_us(v.judged_utc) AS judged, v.criterion_id, v.position, v.status,
    a.attempt_id IS NOT NULL AS attempt_landed,
    (v.status = 'unscored') = (v.cause <> '') AS cause_goes_with_unscored,
    v.input_uncached, v.cache_read, v.cache_write, v.output, v.cost_usd
FROM vote v
LEFT JOIN attempt a USING (attempt_id)
