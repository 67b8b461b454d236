-- Every criterion without a verdict, with the failure that kept it away.
SELECT run_id, cell, judge_profile, matter_id, epoch, criterion_id, title, cause, reasoning
FROM criteria_results WHERE status = 'unscored'
ORDER BY run_id, cell, judge_profile, cause, matter_id, epoch, criterion_id
