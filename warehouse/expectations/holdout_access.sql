SELECT part, learn_id, look, side, matters, attempts, look >= 1 AS looks_are_counted_from_one,
    attempts >= matters AS every_matter_was_run
FROM holdout_access
