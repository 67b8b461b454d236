-- Flags of each gate against the verdicts that quote the same words, and failed criteria that a gate flagged.
-- Only words can be matched: a flag on words that no verdict quotes is neither right nor wrong here (unjudged_flags), and
-- a failed criterion without a quotation of the draft is nothing that a flag could lie on (in failed, not in quoted_failed).
WITH flags AS (SELECT attempt_id, position, gate FROM finding WHERE severity <> 'note'),
judged_flags AS (
    SELECT judge_profile, attempt_id, position, gate, bool_or(status = 'fail') AS is_true
    FROM flags_judged
    GROUP BY ALL
),
gates AS (SELECT attempt_id, gate FROM gate),
profiles AS (
    SELECT run_id, cell, judge_profile, attempt_id, failed, quoted_failed, failed > 0 AS has_failed
    FROM scored_attempts
    WHERE passed + failed > 0
),
by_gate AS (
    SELECT p.run_id, p.cell, p.judge_profile, g.gate,
        count(DISTINCT p.attempt_id) AS attempts,
        count(DISTINCT f.attempt_id) AS flagged_attempts,
        count(DISTINCT f.attempt_id) FILTER (p.has_failed) AS flagged_and_failed,
        count(f.position) AS flags,
        count(*) FILTER (j.is_true) AS true_flags,
        count(*) FILTER (NOT j.is_true) AS false_flags,
        count(f.position) - count(j.is_true) AS unjudged_flags
    FROM profiles p
    JOIN gates g USING (attempt_id)
    LEFT JOIN flags f USING (attempt_id, gate)
    LEFT JOIN judged_flags j USING (judge_profile, attempt_id, position, gate)
    GROUP BY ALL
),
flagged_failures AS (
    SELECT judge_profile, attempt_id, gate, count(DISTINCT criterion_id) AS flagged_failed
    FROM flags_judged
    WHERE status = 'fail'
    GROUP BY judge_profile, attempt_id, gate
),
failures AS (
    SELECT p.run_id, p.cell, p.judge_profile, g.gate,
        CAST(sum(p.failed) AS BIGINT) AS failed,
        CAST(sum(p.quoted_failed) AS BIGINT) AS quoted_failed,
        CAST(sum(coalesce(m.flagged_failed, 0)) AS BIGINT) AS flagged_failed
    FROM profiles p
    JOIN gates g USING (attempt_id)
    LEFT JOIN flagged_failures m USING (judge_profile, attempt_id, gate)
    GROUP BY ALL
    HAVING sum(p.failed) > 0
)
SELECT b.run_id, b.cell, b.judge_profile, b.gate, b.attempts, b.flagged_attempts, b.flagged_and_failed, b.flags, b.true_flags, b.false_flags, b.unjudged_flags,
    b.true_flags / nullif(b.true_flags + b.false_flags, 0) AS "precision",
    coalesce(f.failed, 0) AS failed, coalesce(f.quoted_failed, 0) AS quoted_failed,
    coalesce(f.flagged_failed, 0) AS flagged_failed,
    f.flagged_failed / nullif(f.quoted_failed, 0) AS recall
FROM by_gate b
LEFT JOIN failures f USING (run_id, cell, judge_profile, gate)
ORDER BY b.run_id, b.cell, b.judge_profile, b.gate
