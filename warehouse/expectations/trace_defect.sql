SELECT d.part, d.attempt_id, d.defect, d.evidence <> '' AS has_evidence,
    NOT d.by_construction OR d.defect IN ('D5', 'D7') AS construction_is_of_cells, a.attempt_id IS NOT NULL AS attempt_landed
FROM trace_defect d
LEFT JOIN attempt a USING (attempt_id)
