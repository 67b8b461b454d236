SELECT part, learn_id, step, edit_id, harness_version, purpose,
    coalesce(pooled_pass BETWEEN 0 AND 1, true) AS seen_is_a_rate
FROM holdout_access
