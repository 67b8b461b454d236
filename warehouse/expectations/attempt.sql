SELECT
    part, attempt_id, outcome, release_status, seconds, words, epoch, n_documents,
    outcome <> 'failed' OR failure_cause <> '' AS failure_has_a_cause,
    isfinite(seconds) AND isfinite(cost_usd) AS numbers_are_finite,
    ended_utc >= started_utc AS ends_after_it_starts,
    input_uncached, cache_read, cache_write, output, cost_usd, cost_source,
    cost_usd = 0 OR cost_source <> 'none' OR calls > 1 AS cost_has_a_source
FROM attempt
