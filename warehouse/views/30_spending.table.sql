-- Tokens and money by role. The solver's side comes from its attempts, failed and retried ones included: what others than
-- the solver itself asked on its behalf (chooser, interrogator, researcher) is told apart by the account of the attempt,
-- and the rows of an attempt add up to what it used.
-- Money in two modes: as billed, and with cached reads free as the paper counts. The second is empty where some cached
-- read was paid for at a rate that is not known. The rate is that of the cell's model, so cached reads share what they cost.
CREATE OR REPLACE TABLE spending AS
WITH on_behalf AS (
    SELECT
        attempt_id, role, profile,
        sum(input_uncached) AS input_uncached, sum(cache_read) AS cache_read, sum(cache_write) AS cache_write,
        sum(output) AS output, sum(calls) AS calls, sum(cost_usd) AS cost_usd,
        CASE WHEN bool_or(cost_source = 'none' AND calls > 0) THEN 'none' ELSE max(cost_source) END AS cost_source
    FROM model_call
    WHERE role <> 'solver'
    GROUP BY attempt_id, role, profile
),
others AS (
    SELECT
        attempt_id, sum(input_uncached) AS input_uncached, sum(cache_read) AS cache_read,
        sum(cache_write) AS cache_write, sum(output) AS output, sum(calls) AS calls, sum(cost_usd) AS cost_usd
    FROM on_behalf
    GROUP BY attempt_id
),
by_attempt AS (
    SELECT
        a.attempt_id, 'solver' AS role, a.profile,
        a.input_uncached - coalesce(o.input_uncached, 0) AS input_uncached,
        a.cache_read - coalesce(o.cache_read, 0) AS cache_read,
        a.cache_write - coalesce(o.cache_write, 0) AS cache_write,
        a.output - coalesce(o.output, 0) AS output,
        a.calls - coalesce(o.calls, 0) AS calls,
        a.cost_usd - coalesce(o.cost_usd, 0) AS cost_usd, a.cost_source
    FROM attempt a
    LEFT JOIN others o USING (attempt_id)
    UNION ALL BY NAME
    SELECT * FROM on_behalf
),
spent AS (
    SELECT
        a.run_id, a.cell, p.role, p.profile, p.attempt_id,
        p.input_uncached, p.cache_read, p.cache_write, p.output, p.calls, p.cost_usd, p.cost_source,
        m.cached_reads_usd * p.cache_read / nullif(a.cache_read, 0) AS cached_reads_usd
    FROM by_attempt p
    JOIN attempt a USING (attempt_id)
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
