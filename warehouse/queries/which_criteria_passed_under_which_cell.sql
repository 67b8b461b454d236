-- Every criterion of every cell, matter and epoch with how it ended: what a paired comparison of cells is made from.
SELECT run_id, cell, judge_profile, matter_id, epoch, criterion_id, status
FROM scored_criteria
ORDER BY place
