-- Flags of each gate against the verdicts that quote the same words, and failed criteria that a gate flagged.
-- Only words can be matched: a flag on words that no verdict quotes is neither right nor wrong here (unjudged_flags), and
-- a failed criterion without a quotation of the draft is nothing that a flag could lie on (in failed, not in quoted_failed).
-- Precision is true_flags of true_flags and false_flags, recall flagged_failed of quoted_failed; their 95 % intervals draw
-- whole matters and are never narrower than Wilson's of as many flags or criteria.
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
),
by_matter AS (
    SELECT run_id, cell, judge_profile, gate, matter_id,
        count(*) AS attempts,
        count(*) FILTER (flags > 0) AS flagged_attempts,
        count(*) FILTER (flags > 0 AND has_failed) AS flagged_and_failed,
        sum(flags) AS flags, sum(true_flags) AS true_flags, sum(false_flags) AS false_flags,
        sum(failed) AS failed, sum(quoted_failed) AS quoted_failed, sum(flagged_failed) AS flagged_failed
    FROM by_attempt
    GROUP BY ALL
),
by_gate AS (
    SELECT run_id, cell, judge_profile, gate,
        CAST(sum(attempts) AS BIGINT) AS attempts,
        CAST(sum(flagged_attempts) AS BIGINT) AS flagged_attempts,
        CAST(sum(flagged_and_failed) AS BIGINT) AS flagged_and_failed,
        CAST(sum(flags) AS BIGINT) AS flags,
        CAST(sum(true_flags) AS BIGINT) AS true_flags,
        CAST(sum(false_flags) AS BIGINT) AS false_flags,
        CAST(sum(failed) AS BIGINT) AS failed,
        CAST(sum(quoted_failed) AS BIGINT) AS quoted_failed,
        CAST(sum(flagged_failed) AS BIGINT) AS flagged_failed,
        share_interval(
            list(CAST(true_flags AS DOUBLE) ORDER BY matter_id),
            list(CAST(true_flags + false_flags AS DOUBLE) ORDER BY matter_id)
        ) AS of_precision,
        share_interval(
            list(CAST(flagged_failed AS DOUBLE) ORDER BY matter_id),
            list(CAST(quoted_failed AS DOUBLE) ORDER BY matter_id)
        ) AS of_recall
    FROM by_matter
    GROUP BY ALL
)
SELECT run_id, cell, judge_profile, gate, attempts, flagged_attempts, flagged_and_failed,
    flags, true_flags, false_flags, flags - true_flags - false_flags AS unjudged_flags,
    true_flags / nullif(true_flags + false_flags, 0) AS "precision",
    of_precision[1] AS precision_low, of_precision[2] AS precision_high,
    failed, quoted_failed, flagged_failed,
    flagged_failed / nullif(quoted_failed, 0) AS recall,
    of_recall[1] AS recall_low, of_recall[2] AS recall_high
FROM by_gate
ORDER BY run_id, cell, judge_profile, gate
