-- Defects D1 to D7 of the paper (B.4) by cell: in how many of the measured attempts, by construction or not, with an example.
SELECT a.run_id, a.cell, d.defect, d.by_construction, count(*) AS attempts, any_value(t.measured) AS measured,
    count(*) / any_value(t.measured) AS share, min(d.evidence) AS example
FROM trace_defect d
JOIN counted_attempts a USING (attempt_id)
JOIN trajectories t USING (run_id, cell)
WHERE a.outcome <> 'failed'
GROUP BY a.run_id, a.cell, d.defect, d.by_construction
ORDER BY a.run_id, a.cell, d.defect, d.by_construction
