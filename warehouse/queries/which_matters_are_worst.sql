-- Matters by pooled pass, worst first.
SELECT run_id, cell, judge_profile, area, matter_id, matter_title, epochs, criteria, passed, failed, unscored,
    pass_rate, all_pass_share
FROM scored_matters
ORDER BY run_id, cell, judge_profile, pass_rate NULLS FIRST, failed DESC, matter_id
