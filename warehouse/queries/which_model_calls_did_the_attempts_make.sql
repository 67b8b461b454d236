-- Replies by role, kind of model and profile that answered: how many were recorded ones, tokens, US dollars, and the largest request.
SELECT a.run_id, a.cell, c.role, c.kind, c.profile, count(DISTINCT c.attempt_id) AS attempts, count(*) AS replies,
    count(*) FILTER (c.replayed) AS replayed,
    CAST(sum(c.input_uncached + c.cache_read + c.cache_write) AS BIGINT) AS input_tokens,
    CAST(sum(c.output) AS BIGINT) AS output_tokens, sum(c.cost_usd) AS cost_usd,
    max(c.input_uncached + c.cache_read + c.cache_write) AS largest_request
FROM model_call c JOIN attempt a USING (attempt_id)
GROUP BY a.run_id, a.cell, c.role, c.kind, c.profile
ORDER BY a.run_id, a.cell, c.role, c.kind, c.profile
