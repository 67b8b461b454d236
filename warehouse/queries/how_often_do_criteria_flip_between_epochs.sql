-- Answer variance: criteria that pass in one epoch of a cell and fail in another under the same judge, with the interval by matter.
-- Differ is the chance that two epochs of a criterion differ; the judge's own variance is in it (see the flips between
-- judgements). Criteria that were scored in fewer than two epochs by one version of the judge are left out.
SELECT * EXCLUDE (flip_interval), flip_interval[1] AS flip_low, flip_interval[2] AS flip_high
FROM (
    SELECT run_id, cell, judge_profile, matters, times AS epochs, criteria, flipped, flip_rate, differ_rate,
        ratio_interval(flipped_by_matter, criteria_by_matter) AS flip_interval
    FROM flip_rates
    WHERE over = 'epochs'
)
ORDER BY run_id, cell, judge_profile
