SELECT part, attempt_id, role, profile, epoch_us(spent_utc) AS spent,
    isfinite(cost_usd) AS numbers_are_finite,
    input_uncached, cache_read, cache_write, output, cost_usd, cost_source,
    cost_usd = 0 OR cost_source <> 'none' OR calls > 1 AS cost_has_a_source
FROM spend
