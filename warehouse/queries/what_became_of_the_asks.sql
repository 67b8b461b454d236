-- Asks of the briefs by state: what was answered, searched in vain or left open, and why a claim was not accepted.
SELECT a.run_id, a.cell, k.kind, k.state, count(*) AS asks, count(*) FILTER (k.problem <> '') AS not_accepted,
    count(DISTINCT k.attempt_id) AS attempts
FROM ask k JOIN counted_attempts a USING (attempt_id)
WHERE a.outcome <> 'failed'
GROUP BY ALL ORDER BY a.run_id, a.cell, asks DESC, k.kind, k.state
