-- Every look of a learning run at matters that nothing may be decided on, and how many looks that side has had by then.
SELECT learn_id, look, step, side, purpose, matters, attempts, harness_version, split_sha256, read_utc,
    count(*) OVER (PARTITION BY learn_id, side, purpose ORDER BY look) AS looks_of_this_kind
FROM holdout_access ORDER BY learn_id, look
