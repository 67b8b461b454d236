-- The climb of a learning run, step by step: what the ledger says of each candidate, and what its verdicts say now.
-- The ledger's scores are of the minibatch of the step; the others are recomputed over all attempts of the candidate.
-- The frontier is the score of the harness that was last accepted.
WITH ordered AS (
    SELECT *, row_number() OVER (
        PARTITION BY learn_id ORDER BY step, coalesce(TRY_CAST(edit_id AS BIGINT), 0), edit_id
    ) AS position
    FROM edit
),
-- several judges of a candidate are several rows
climbed AS (
    SELECT e.learn_id, e.position, e.step, e.edit_id, e.surface, e.target, e.decision, e.stopped_by, e.score_before,
        e.score_after, h.cell, h.judge_profile, h.attempts, h.pooled_pass, h.all_pass, h.tokens, h.blended
    FROM ordered e
    LEFT JOIN harness_scores h
        ON e.decision <> 'rejected' AND h.harness_version = e.harness_after AND starts_with(h.run_id, e.learn_id || '-')
)
SELECT learn_id, step, edit_id, surface, target, decision, stopped_by, score_before, score_after,
    last_value(CASE WHEN decision = 'accepted' THEN score_after END IGNORE NULLS) OVER (
        PARTITION BY learn_id ORDER BY position RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS frontier,
    coalesce(cell, '') AS cell, coalesce(judge_profile, '') AS judge_profile, coalesce(attempts, 0) AS attempts,
    pooled_pass, all_pass, tokens, blended
FROM climbed
ORDER BY learn_id, position, cell, judge_profile
