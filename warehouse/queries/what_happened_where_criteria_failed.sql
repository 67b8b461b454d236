-- Failed criteria by kind of anchor and what the judge found there: denied, asserted, omitted, another value; empty where no anchor decided.
SELECT run_id, cell, judge_profile, match_kind, outcome, error_class, failed, matters,
    failed / sum(failed) OVER (PARTITION BY run_id, cell, judge_profile) AS share
FROM failed_criteria
WHERE unit = 'kind'
ORDER BY run_id, cell, judge_profile, match_kind, failed DESC, outcome, error_class
