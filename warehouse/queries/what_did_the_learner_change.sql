-- The learner's ledger: every edit proposed, its scores before and after, and what became of it.
SELECT learn_id, step, edit_id, surface, target, proposer, policy, decision, stopped_by, minibatch,
    score_before, score_after, score_after - score_before AS gain, reasons, diff_sha256, harness_before, harness_after
FROM edit ORDER BY learn_id, step, edit_id
