-- Criteria of the same attempt judged by two profiles: how often both pass, both fail, or differ.
SELECT x.run_id, x.cell, x.judge_profile AS judge, y.judge_profile AS other_judge, count(*) AS criteria,
    count(*) FILTER (x.status = 'pass' AND y.status = 'pass') AS both_pass,
    count(*) FILTER (x.status = 'fail' AND y.status = 'fail') AS both_fail,
    count(*) FILTER (x.status <> y.status AND x.status <> 'unscored' AND y.status <> 'unscored') AS differ,
    count(*) FILTER (x.status = 'unscored' OR y.status = 'unscored') AS unscored_by_either
FROM scored_criteria x
JOIN scored_criteria y USING (attempt_id, criterion_id)
WHERE x.judge_profile < y.judge_profile
GROUP BY ALL ORDER BY x.run_id, x.cell, judge, other_judge
