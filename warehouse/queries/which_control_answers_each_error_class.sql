-- Table 13: failed criteria by error class, what fails in each, the control that answers it and the surface that holds it.
SELECT e.run_id, e.cell, e.judge_profile, e.error_class, e.failed, e.matters, e.share,
    c.failure_unit, c.control, c.surface
FROM error_classes e
LEFT JOIN control_surfaces c USING (error_class)
ORDER BY e.run_id, e.cell, e.judge_profile, c.position NULLS LAST, e.error_class
