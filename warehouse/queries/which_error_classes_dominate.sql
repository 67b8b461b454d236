-- Failed criteria by error class.
SELECT * FROM error_classes ORDER BY run_id, cell, judge_profile, failed DESC, error_class
