-- What each counted attempt took, where it did not fail: actions by bucket, words, time and money. An attempt that the
-- provider or a reader failed says nothing of how a cell works. Cost is of this attempt alone, as billed and with cached
-- reads free; the second is empty where their rate is not known, both where calls were made at no known price. Time is
-- empty where nobody took it (an imported attempt), words and characters of the trace where nothing was measured.
CREATE OR REPLACE TABLE attempt_work AS
WITH acted AS (
    SELECT attempt_id, CAST(sum(actions) AS BIGINT) AS actions,
        CAST(sum(actions) FILTER (bucket = 'read') AS BIGINT) AS reads,
        CAST(sum(actions) FILTER (bucket = 'tool') AS BIGINT) AS tools,
        CAST(sum(actions) FILTER (bucket = 'write') AS BIGINT) AS writes,
        CAST(sum(actions) FILTER (bucket = 'other') AS BIGINT) AS others
    FROM attempt_actions GROUP BY attempt_id
)
SELECT
    a.run_id, a.cell, a.area, a.work_type, a.matter_id, a.epoch, a.attempt_id, a.harness_version, a.words,
    nullif(a.seconds, 0) AS seconds,
    coalesce(x.actions, 0) AS actions, coalesce(x.reads, 0) AS reads, coalesce(x.tools, 0) AS tools,
    coalesce(x.writes, 0) AS writes, coalesce(x.others, 0) AS others,
    a.input_uncached + a.cache_read + a.cache_write + a.output AS tokens, a.output AS output_tokens,
    CASE WHEN a.cost_source <> 'none' OR a.calls = 0 THEN a.cost_usd END AS cost_usd,
    CASE WHEN a.cost_source = 'none' AND a.calls > 0 THEN NULL WHEN a.cache_read = 0 OR a.cost_usd = 0 THEN a.cost_usd
        ELSE a.cost_usd - m.cached_reads_usd END AS cost_cached_free_usd,
    m.words AS trace_words, m.characters, m.served, m.served / nullif(m.characters, 0) AS served_share
FROM counted_attempts a
LEFT JOIN acted x USING (attempt_id)
LEFT JOIN trajectory_measure m USING (attempt_id)
WHERE a.outcome <> 'failed';
