-- Messages that the judge was sent and somebody else too, in whatever attempt. Only hashes are compared: nobody needs
-- the words of a rubric to know that they went where they may not. An empty message tells nothing.
CREATE OR REPLACE TABLE leaks AS
WITH judged AS (
    SELECT sha256, min(attempt_id) AS judged_in FROM sent_messages
    WHERE side = 'judge' AND characters > 0
    GROUP BY sha256
)
SELECT a.run_id, a.cell, a.matter_id, m.attempt_id, m.role, m.sha256, m.characters, judged.judged_in
FROM sent_messages m
JOIN judged USING (sha256)
JOIN attempt a USING (attempt_id)
WHERE m.side <> 'judge';
