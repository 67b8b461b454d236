SELECT run_id, cell, judge_profile, pooled_pass, all_pass, criteria, unjudged,
    passed + failed + unscored = criteria AS verdicts_add_up,
    judge_profile = '' OR criteria > 0 AS judged_has_criteria
FROM cells
