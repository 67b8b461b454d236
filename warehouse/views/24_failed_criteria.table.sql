-- Failed criteria of each cell and judge, counted in one pass by each unit that a question asks for: by error class alone;
-- by class and outcome; by class, outcome and kind of anchor; by class in each area (name); by class in each work type.
-- A matter has one area and one work type, and may fail in several classes: matters are counted once in each row.
CREATE OR REPLACE TABLE failed_criteria AS
SELECT
    run_id, cell, judge_profile,
    CASE WHEN grouping(match_kind) = 0 THEN 'kind' WHEN grouping(outcome) = 0 THEN 'outcome'
        WHEN grouping(area) = 0 THEN 'area' WHEN grouping(work_type) = 0 THEN 'work_type' ELSE 'class' END AS unit,
    CASE WHEN grouping(area) = 0 THEN area WHEN grouping(work_type) = 0 THEN work_type END AS name,
    error_class, outcome, match_kind,
    count(*) AS failed,
    count(DISTINCT matter_id) AS matters
FROM scored_criteria
WHERE status = 'fail'
GROUP BY GROUPING SETS (
    (run_id, cell, judge_profile, error_class),
    (run_id, cell, judge_profile, error_class, outcome),
    (run_id, cell, judge_profile, error_class, outcome, match_kind),
    (run_id, cell, judge_profile, error_class, area),
    (run_id, cell, judge_profile, error_class, work_type)
);
