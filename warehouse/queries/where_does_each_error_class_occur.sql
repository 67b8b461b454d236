-- Failed criteria by error class in each practice area and work type, with the share of the failures there.
SELECT run_id, cell, judge_profile, unit, name,
    coalesce(nullif(error_class, ''), 'unclassified') AS error_class, failed, matters,
    failed / sum(failed) OVER (PARTITION BY run_id, cell, judge_profile, unit, name) AS share
FROM failed_criteria
WHERE unit IN ('area', 'work_type')
ORDER BY run_id, cell, judge_profile, unit, name, failed DESC, error_class
