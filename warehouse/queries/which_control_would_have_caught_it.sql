-- Failed criteria by the control that answers their error class, and what happened to them: where a control would tell most.
SELECT f.run_id, f.cell, f.judge_profile, c.control, c.surface, f.error_class, f.outcome,
    f.failed, f.matters,
    sum(f.failed) OVER (PARTITION BY f.run_id, f.cell, f.judge_profile, f.error_class) AS failed_of_control,
    f.failed / sum(f.failed) OVER (PARTITION BY f.run_id, f.cell, f.judge_profile) AS share
FROM failed_criteria f
JOIN control_surfaces c USING (error_class)
WHERE f.unit = 'outcome'
ORDER BY f.run_id, f.cell, f.judge_profile, failed_of_control DESC, f.error_class, failed DESC, f.outcome
