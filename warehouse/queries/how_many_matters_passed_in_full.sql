-- Table 8, the inventory of runs: matters of each cell, how many pass every criterion, and the pooled pass of all criteria.
SELECT run_id, cell, judge_profile, matters, attempts, all_pass * matters AS all_pass_matters, all_pass,
    passed, failed, unscored, passed / nullif(passed + failed, 0) AS pooled_pass, matters_with_unscored
FROM pass_rates
WHERE unit = 'cell'
ORDER BY run_id, judge_profile, pooled_pass NULLS FIRST, cell
