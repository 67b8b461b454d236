-- Tools that a skill calls mandatory: the share of its attempts (failed ones apart) that called them, and how often they did.
SELECT a.run_id, a.cell, t.tool, count(*) AS attempts, count(*) FILTER (t.calls > 0) AS used,
    count(*) FILTER (t.calls > 0) / count(*) AS share, CAST(sum(t.calls) AS BIGINT) AS calls
FROM mandatory_tool t JOIN counted_attempts a USING (attempt_id)
WHERE a.outcome <> 'failed'
GROUP BY a.run_id, a.cell, t.tool
ORDER BY a.run_id, a.cell, t.tool
