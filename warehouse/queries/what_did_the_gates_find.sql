-- Findings by gate, kind and severity; attempts that failed are left out.
SELECT a.run_id, a.cell, f.gate, f.kind, f.severity, count(*) AS findings, count(DISTINCT f.attempt_id) AS attempts
FROM finding f JOIN counted_attempts a USING (attempt_id)
WHERE a.outcome <> 'failed'
GROUP BY ALL ORDER BY a.run_id, a.cell, findings DESC, f.gate, f.kind, f.severity
