-- Flags of each gate in each matter of a cell beside what the verdicts say of the same words: the question whether gates and
-- judges agree adds them up, with intervals that draw whole matters.
CREATE OR REPLACE TABLE gate_agreement AS
WITH flags AS (SELECT attempt_id, position, gate FROM finding WHERE severity <> 'note'),
judged_flags AS (
    SELECT judge_profile, attempt_id, position, gate, bool_or(status = 'fail') AS is_true
    FROM flags_judged
    GROUP BY ALL
),
gates AS (SELECT attempt_id, gate FROM gate),
profiles AS (
    SELECT run_id, cell, judge_profile, matter_id, attempt_id, failed, quoted_failed, failed > 0 AS has_failed
    FROM scored_attempts
    WHERE passed + failed > 0
),
flagged_failures AS (
    SELECT judge_profile, attempt_id, gate, count(DISTINCT criterion_id) AS flagged_failed
    FROM flags_judged
    WHERE status = 'fail'
    GROUP BY judge_profile, attempt_id, gate
),
by_attempt AS (
    SELECT p.run_id, p.cell, p.judge_profile, g.gate, p.matter_id, p.attempt_id, p.has_failed, p.failed, p.quoted_failed,
        any_value(coalesce(m.flagged_failed, 0)) AS flagged_failed,
        count(f.position) AS flags,
        count(*) FILTER (j.is_true) AS true_flags,
        count(*) FILTER (NOT j.is_true) AS false_flags
    FROM profiles p
    JOIN gates g USING (attempt_id)
    LEFT JOIN flags f USING (attempt_id, gate)
    LEFT JOIN judged_flags j USING (judge_profile, attempt_id, position, gate)
    LEFT JOIN flagged_failures m USING (judge_profile, attempt_id, gate)
    GROUP BY ALL
)
SELECT run_id, cell, judge_profile, gate, matter_id,
    count(*) AS attempts,
    count(*) FILTER (flags > 0) AS flagged_attempts,
    count(*) FILTER (flags > 0 AND has_failed) AS flagged_and_failed,
    sum(flags) AS flags, sum(true_flags) AS true_flags, sum(false_flags) AS false_flags,
    sum(failed) AS failed, sum(quoted_failed) AS quoted_failed, sum(flagged_failed) AS flagged_failed
FROM by_attempt
GROUP BY ALL;
