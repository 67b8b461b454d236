-- The information-flow log by role: requests, distinct messages and characters, by hash and size alone, re-scorings apart.
SELECT a.run_id, a.cell, m.side, m.role, m.rescored, count(DISTINCT m.attempt_id) AS attempts,
    count(DISTINCT m.sha256) AS messages, CAST(sum(m.characters) AS BIGINT) AS characters,
    CAST(sum(m.requests) AS BIGINT) AS times_sent
FROM sent_messages m JOIN attempt a USING (attempt_id)
GROUP BY a.run_id, a.cell, m.side, m.role, m.rescored
ORDER BY a.run_id, a.cell, m.side, m.role, m.rescored
