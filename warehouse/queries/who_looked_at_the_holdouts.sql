-- Every look at matters that a learning run holds out, by the run itself or by what else ran them or told their scores, and how many looks of this kind its side has had by then.
SELECT learn_id, look, step, side, purpose, matters, attempts, harness_version, split_sha256, read_utc,
    count(*) OVER (PARTITION BY learn_id, side, purpose ORDER BY look) AS looks_of_this_kind
FROM holdout_access ORDER BY learn_id, look
