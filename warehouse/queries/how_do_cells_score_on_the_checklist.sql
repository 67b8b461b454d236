-- GAVEL-Ref by cell: mean S_checklist, S_residual, S_style and S_GAVEL-Ref from 0 to 100, over the work products that have each.
SELECT run_id, cell, judge_profile, checklist, checklist_version, count(*) AS attempts,
    CAST(sum(applicable) AS BIGINT) AS applicable, CAST(sum(unscored) AS BIGINT) AS unscored,
    count(s_gavel) AS scored, avg(s_checklist) AS s_checklist, avg(s_residual) AS s_residual, avg(s_style) AS s_style,
    avg(s_gavel) AS s_gavel, avg(residual_ratio) AS residual_ratio,
    CAST(sum(dropped_values) AS BIGINT) AS dropped_values, CAST(sum(dropped_evidence) AS BIGINT) AS dropped_evidence
FROM latest_checklists
GROUP BY run_id, cell, judge_profile, checklist, checklist_version
ORDER BY run_id, cell, judge_profile, checklist, checklist_version
