-- Failed criteria by error class in each practice area and work type, with the share of the failures there.
WITH failed AS (
    SELECT run_id, cell, judge_profile, matter_id, error_class,
        unnest([{'unit': 'area', 'name': area}, {'unit': 'work_type', 'name': work_type}]) AS place
    FROM scored_criteria
    WHERE status = 'fail'
)
SELECT run_id, cell, judge_profile, place.unit AS unit, place.name AS name,
    coalesce(nullif(error_class, ''), 'unclassified') AS error_class,
    count(*) AS failed,
    count(DISTINCT matter_id) AS matters,
    count(*) / sum(count(*)) OVER (PARTITION BY run_id, cell, judge_profile, place) AS share
FROM failed
GROUP BY run_id, cell, judge_profile, place, error_class
ORDER BY run_id, cell, judge_profile, unit, name, failed DESC, error_class
