-- The latest judgement of each attempt by each judge profile. Older ones stay in the table verdict.
-- A verdict that was given and is lost counts as unscored: a score is never taken over fewer criteria in silence.
CREATE OR REPLACE VIEW latest_verdicts AS
WITH given AS (
    SELECT * FROM verdict
    UNION ALL BY NAME
    SELECT
        attempt_id, judge_profile, judged_utc, 'lost verdict ' || n AS criterion_id, 'lost verdict' AS title,
        'unscored' AS status, 'unknown' AS cause, '' AS match_kind, '' AS error_class, '' AS outcome,
        '' AS quote,
        format('{} of {} verdicts of this judgement are lost', lost, criteria) AS reasoning
    FROM lost_verdicts, unnest(range(1, lost + 1)) AS numbers (n)
)
SELECT *
FROM given
QUALIFY judged_utc = max(judged_utc) OVER (PARTITION BY attempt_id, judge_profile);
