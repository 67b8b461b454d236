-- Tokens and money by role. The solver's come from its attempts, failed and retried ones included.
CREATE OR REPLACE VIEW spending AS
WITH spent AS (
    SELECT
        run_id, cell, 'solver' AS role, profile, attempt_id,
        input_uncached, cache_read, cache_write, output, calls, cost_usd, cost_source
    FROM attempt
    UNION ALL
    SELECT
        coalesce(nullif(s.run_id, ''), a.run_id, ''), coalesce(a.cell, ''), s.role, s.profile, s.attempt_id,
        s.input_uncached, s.cache_read, s.cache_write, s.output, s.calls, s.cost_usd, s.cost_source
    FROM spend s
    LEFT JOIN attempt a USING (attempt_id)
    WHERE s.role <> 'solver'
)
SELECT
    run_id, cell, role, profile,
    count(DISTINCT attempt_id) AS attempts,
    CAST(sum(calls) AS BIGINT) AS calls,
    CAST(sum(input_uncached) AS BIGINT) AS input_uncached,
    CAST(sum(cache_read) AS BIGINT) AS cache_read,
    CAST(sum(cache_write) AS BIGINT) AS cache_write,
    CAST(sum(output) AS BIGINT) AS output,
    CAST(sum(input_uncached + cache_read + cache_write + output) AS BIGINT) AS tokens,
    sum(cost_usd) AS cost_usd,
    count(*) FILTER (cost_source = 'none' AND calls > 0) AS without_price
FROM spent
GROUP BY run_id, cell, role, profile;
