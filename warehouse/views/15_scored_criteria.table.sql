-- One row a criterion of a counted attempt and judge profile: how it ended in the profile's latest judgement, without
-- the words (criteria_results has them). criterion_number tells the criteria of a matter apart, from 0. A verdict that was
-- given and is lost counts as unscored. What asks for all rows in the order of run, cell, judge, matter, epoch and criterion
-- sorts by place: one number in the stead of six words. Quoted: the verdict quotes twelve characters at least of the draft.
CREATE OR REPLACE TABLE scored_criteria AS
WITH lost AS (
    SELECT attempt_id, judge_profile, judged_utc, unnest(range(1, lost + 1)) AS number FROM lost_verdicts
),
given AS (
    SELECT attempt_id, judge_profile, judged_utc, criterion_id, status, cause, match_kind, error_class, outcome,
        status <> 'unscored' AND length(trim(quote)) >= 12 AS quoted
    FROM verdict
    UNION ALL
    SELECT attempt_id, judge_profile, judged_utc, 'lost verdict ' || number, 'unscored', 'unknown', '', '', '', false
    FROM lost
),
numbered AS (
    SELECT matter_id, criterion_id,
        row_number() OVER (PARTITION BY matter_id ORDER BY criterion_id) - 1 AS criterion_number
    FROM (SELECT DISTINCT a.matter_id, g.criterion_id FROM given g JOIN counted_attempts a USING (attempt_id))
),
latest AS (
    SELECT a.run_id, a.cell, g.judge_profile, a.matter_id, a.epoch, attempt_id, max(g.judged_utc) AS judged_utc
    FROM given g
    JOIN counted_attempts a USING (attempt_id)
    GROUP BY ALL
),
placed AS (
    SELECT attempt_id, judge_profile, judged_utc,
        row_number() OVER (ORDER BY run_id, cell, judge_profile, matter_id, epoch, attempt_id) AS place
    FROM latest
)
SELECT
    a.run_id, a.cell, g.judge_profile, a.area, a.work_type, a.matter_id, a.epoch, g.attempt_id, g.criterion_id,
    g.status, g.cause, g.match_kind, g.error_class, g.outcome, g.quoted, g.judged_utc, n.criterion_number,
    placed.place * 1000000 + n.criterion_number AS place
FROM given g
JOIN placed USING (attempt_id, judge_profile, judged_utc)
JOIN counted_attempts a USING (attempt_id)
JOIN numbered n ON n.matter_id = a.matter_id AND n.criterion_id = g.criterion_id;
