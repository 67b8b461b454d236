-- Criteria without a verdict, counted by cause.
SELECT * FROM unscored_causes ORDER BY run_id, cell, judge_profile, criteria DESC, cause
