-- The information-flow log by role: requests, distinct messages and characters, by hash and size alone.
SELECT a.run_id, a.cell, m.side, m.role, count(DISTINCT m.attempt_id) AS attempts, count(DISTINCT m.sha256) AS messages,
    CAST(sum(m.characters) AS BIGINT) AS characters, CAST(sum(m.requests) AS BIGINT) AS times_sent
FROM message_sent m JOIN attempt a USING (attempt_id)
GROUP BY a.run_id, a.cell, m.side, m.role
ORDER BY a.run_id, a.cell, m.side, m.role
