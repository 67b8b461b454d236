-- Failed criteria by error class, with the share of all failures of the cell.
CREATE OR REPLACE VIEW error_classes AS
SELECT
    run_id, cell, judge_profile,
    coalesce(nullif(error_class, ''), 'unclassified') AS error_class,
    count(*) AS failed,
    count(DISTINCT matter_id) AS matters,
    count(*) / sum(count(*)) OVER (PARTITION BY run_id, cell, judge_profile) AS share
FROM scored_criteria
WHERE status = 'fail'
GROUP BY run_id, cell, judge_profile, coalesce(nullif(error_class, ''), 'unclassified');
