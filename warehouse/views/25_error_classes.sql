-- Failed criteria by error class, with the share of all failures of the cell.
CREATE OR REPLACE VIEW error_classes AS
SELECT
    run_id, cell, judge_profile,
    coalesce(nullif(error_class, ''), 'unclassified') AS error_class,
    failed,
    matters,
    failed / sum(failed) OVER (PARTITION BY run_id, cell, judge_profile) AS share
FROM failed_criteria
WHERE unit = 'class';
