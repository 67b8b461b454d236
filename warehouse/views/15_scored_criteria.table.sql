-- One row a criterion of a counted attempt and judge profile: how it ended in the profile's latest judgement, without
-- the words (criteria_results has them). A verdict that was given and is lost counts as unscored.
CREATE OR REPLACE TABLE scored_criteria AS
WITH lost AS (
    SELECT attempt_id, judge_profile, judged_utc, unnest(range(1, lost + 1)) AS number FROM lost_verdicts
),
given AS (
    SELECT attempt_id, judge_profile, judged_utc, criterion_id, status, cause, match_kind, error_class, outcome
    FROM verdict
    UNION ALL
    SELECT attempt_id, judge_profile, judged_utc, 'lost verdict ' || number, 'unscored', 'unknown', '', '', ''
    FROM lost
),
latest AS (
    SELECT attempt_id, judge_profile, max(judged_utc) AS judged_utc FROM given GROUP BY attempt_id, judge_profile
)
SELECT
    a.run_id, a.cell, g.judge_profile, a.area, a.work_type, a.matter_id, a.epoch, g.attempt_id, g.criterion_id,
    g.status, g.cause, g.match_kind, g.error_class, g.outcome, g.judged_utc
FROM given g
JOIN latest USING (attempt_id, judge_profile, judged_utc)
JOIN counted_attempts a USING (attempt_id);
