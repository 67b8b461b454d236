-- Failed criteria by kind of anchor and what the judge found there: denied, asserted, omitted, another value; empty where no anchor decided.
SELECT run_id, cell, judge_profile, match_kind, outcome, error_class,
    count(*) AS failed,
    count(DISTINCT matter_id) AS matters,
    count(*) / sum(count(*)) OVER (PARTITION BY run_id, cell, judge_profile) AS share
FROM scored_criteria
WHERE status = 'fail'
GROUP BY run_id, cell, judge_profile, match_kind, outcome, error_class
ORDER BY run_id, cell, judge_profile, match_kind, failed DESC, outcome, error_class
