-- Every failed criterion with its error class and the judge's reasoning.
SELECT run_id, cell, judge_profile, area, matter_id, epoch, criterion_id, title, match_kind, error_class, reasoning
FROM criteria_results WHERE status = 'fail'
ORDER BY place
