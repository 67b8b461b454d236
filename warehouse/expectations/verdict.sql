SELECT
    v.part, v.attempt_id, v.judge_profile, epoch_us(v.judged_utc) AS judged, v.criterion_id, v.status, v.match_kind,
    a.attempt_id IS NOT NULL AS attempt_landed,
    (v.status = 'unscored') = (v.cause <> '') AS cause_goes_with_unscored,
    v.error_class, v.outcome,
    v.status = 'fail' OR v.error_class = '' AS error_class_goes_with_fail,
    isfinite(v.cost_usd) AS numbers_are_finite,
    v.input_uncached, v.cache_read, v.cache_write, v.output, v.cost_usd, v.cost_source,
    -- a share of a priced call, and one of a call without a price, of two judges of a panel
    v.cost_usd = 0 OR v.cost_source <> 'none' OR v.calls > 0 AS cost_has_a_source
FROM verdict v
LEFT JOIN attempt a USING (attempt_id)
