-- Table 4 of the paper: criterion accuracy of each practice area under each cell, after the accuracy and the all-pass of all areas.
SELECT run_id, judge_profile, CASE unit WHEN 'cell' THEN 'all areas' ELSE name END AS area, cell, matters, criteria,
    passed, failed, unscored, pooled_pass, all_pass,
    pooled_pass = max(pooled_pass) OVER (PARTITION BY run_id, judge_profile, unit, CASE unit WHEN 'area' THEN name END)
        AS is_best
FROM pass_rates
WHERE unit IN ('cell', 'area')
ORDER BY run_id, judge_profile, unit <> 'cell', area, cell
