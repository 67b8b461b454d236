-- Release gates by cell: how much was checked, how much verified, how many attempts were flagged or blocked. Attempts
-- that failed are left out: their drafts were never released.
CREATE OR REPLACE TABLE gate_flags AS
SELECT
    a.run_id, a.cell, g.gate, min(g.position) AS position,
    count(*) AS attempts,
    count(*) FILTER (g.status = 'passed') AS passed,
    count(*) FILTER (g.status = 'flagged') AS flagged,
    count(*) FILTER (g.status = 'blocked') AS blocked,
    CAST(sum(g.checked) AS BIGINT) AS checked,
    CAST(sum(g.verified) AS BIGINT) AS verified,
    CAST(sum(g.n_findings) AS BIGINT) AS findings,
    sum(g.verified) / nullif(sum(g.checked), 0) AS verified_share
FROM gate g
JOIN counted_attempts a USING (attempt_id)
WHERE a.outcome <> 'failed'
GROUP BY a.run_id, a.cell, g.gate;
