-- Pooled pass and all-pass by work type (analyze, draft, review, research).
SELECT run_id, cell, judge_profile, name AS work_type, matters, attempts, criteria, passed, failed, unscored, pooled_pass, all_pass
FROM pass_rates WHERE unit = 'work_type'
ORDER BY run_id, cell, judge_profile, work_type
