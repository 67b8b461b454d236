-- Tokens and money by role. The solver's come from its attempts, failed and retried ones included.
-- Money in two modes: as billed, and with cached reads free as the paper counts. The second is empty where some cached
-- read was paid for at a rate that is not known.
CREATE OR REPLACE VIEW spending AS
WITH spent AS (
    SELECT
        a.run_id, a.cell, 'solver' AS role, a.profile, a.attempt_id,
        a.input_uncached, a.cache_read, a.cache_write, a.output, a.calls, a.cost_usd, a.cost_source, m.cached_reads_usd
    FROM attempt a
    LEFT JOIN trajectory_measure m USING (attempt_id)
    UNION ALL
    SELECT
        coalesce(nullif(s.run_id, ''), a.run_id, ''), coalesce(a.cell, ''), s.role, s.profile, s.attempt_id,
        s.input_uncached, s.cache_read, s.cache_write, s.output, s.calls, s.cost_usd, s.cost_source, NULL
    FROM spend s
    LEFT JOIN attempt a USING (attempt_id)
    WHERE s.role <> 'solver'
),
priced AS (
    SELECT *, CASE WHEN cache_read = 0 OR cost_usd = 0 THEN cost_usd ELSE cost_usd - cached_reads_usd END AS cached_free
    FROM spent
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
    CASE WHEN count(cached_free) = count(*) THEN sum(cached_free) END AS cost_cached_free_usd,
    count(*) FILTER (cost_source = 'none' AND calls > 0) AS without_price
FROM priced
GROUP BY run_id, cell, role, profile;
