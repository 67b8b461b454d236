-- Pooled pass and all-pass by practice area, weakest first.
SELECT run_id, cell, judge_profile, name AS area, matters, attempts, criteria, passed, failed, unscored, pooled_pass, all_pass
FROM pass_rates WHERE unit = 'area'
ORDER BY run_id, cell, judge_profile, pooled_pass NULLS FIRST, area
