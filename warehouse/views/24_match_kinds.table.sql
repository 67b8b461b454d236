-- Pooled pass by the kind of anchor that decided (date, value, span, absence); empty where a model judged.
CREATE OR REPLACE TABLE match_kinds AS
SELECT
    run_id, cell, judge_profile, match_kind,
    count(*) AS criteria,
    count(*) FILTER (status = 'pass') AS passed,
    count(*) FILTER (status = 'fail') AS failed,
    count(*) FILTER (status = 'unscored') AS unscored,
    passed / nullif(passed + failed, 0) AS pooled_pass
FROM scored_criteria
GROUP BY run_id, cell, judge_profile, match_kind;
