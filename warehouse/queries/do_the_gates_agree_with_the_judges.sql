-- Flags of each gate against the verdicts that quote the same words, and failed criteria that a gate flagged.
-- Only words can be matched: a flag on words that no verdict quotes is neither right nor wrong here (unjudged_flags), and
-- a failed criterion without a quotation of the draft is nothing that a flag could lie on (in failed, not in quoted_failed).
-- Precision is true_flags of true_flags and false_flags, recall flagged_failed of quoted_failed; their 95 % intervals draw
-- whole matters and are never narrower than Wilson's of as many flags or criteria.
WITH by_gate AS (
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
        list({
            'said': CAST(true_flags + false_flags AS DOUBLE), 'right': CAST(true_flags AS DOUBLE),
            'failed': CAST(quoted_failed AS DOUBLE), 'flagged': CAST(flagged_failed AS DOUBLE)
        } ORDER BY matter_id) AS matters
    FROM gate_agreement
    GROUP BY ALL
),
drawn AS (
    SELECT * EXCLUDE (matters),
        share_interval([m."right" FOR m IN matters], [m.said FOR m IN matters]) AS of_precision,
        share_interval([m.flagged FOR m IN matters], [m.failed FOR m IN matters]) AS of_recall
    FROM by_gate
)
SELECT run_id, cell, judge_profile, gate, attempts, flagged_attempts, flagged_and_failed,
    flags, true_flags, false_flags, flags - true_flags - false_flags AS unjudged_flags,
    true_flags / nullif(true_flags + false_flags, 0) AS "precision",
    of_precision[1] AS precision_low, of_precision[2] AS precision_high,
    failed, quoted_failed, flagged_failed,
    flagged_failed / nullif(quoted_failed, 0) AS recall,
    of_recall[1] AS recall_low, of_recall[2] AS recall_high
FROM drawn
ORDER BY run_id, cell, judge_profile, gate
