-- Table 5: criteria failed for each cause as a share of all criteria scored; the causes of a cell add up to its total error.
WITH scored AS MATERIALIZED (
    SELECT run_id, cell, judge_profile, passed + failed AS criteria, failed FROM pass_rates WHERE unit = 'cell'
),
classed AS MATERIALIZED (SELECT run_id, cell, judge_profile, error_class, failed FROM error_classes),
told AS (
    SELECT s.run_id, s.cell, s.judge_profile, c.position, c.error_class, coalesce(e.failed, 0) AS failed, s.criteria
    FROM scored s
    CROSS JOIN control_surfaces c
    LEFT JOIN classed e USING (run_id, cell, judge_profile, error_class)
    UNION ALL
    SELECT e.run_id, e.cell, e.judge_profile, 11, e.error_class, e.failed, s.criteria
    FROM classed e
    JOIN scored s USING (run_id, cell, judge_profile)
    WHERE e.error_class NOT IN (SELECT error_class FROM control_surfaces)
    UNION ALL
    SELECT run_id, cell, judge_profile, 12, 'total', failed, criteria FROM scored
)
SELECT run_id, cell, judge_profile, error_class, failed, criteria, failed / nullif(criteria, 0) AS share_of_all
FROM told
ORDER BY run_id, cell, judge_profile, position, error_class
