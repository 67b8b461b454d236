SELECT part, learn_id, step, edit_id, surface, decision, minibatch,
    decision <> 'accepted' OR score_after IS NOT NULL AS accepted_was_scored,
    coalesce(isfinite(score_before), true) AND coalesce(isfinite(score_after), true) AS scores_are_finite
FROM edit
