-- Judge variance: criteria of one attempt that the same judge passes in one judgement and fails in another, with the interval by matter.
-- Nothing was drafted anew, so what differs is the judge. Criteria that were scored in fewer than two judgements of one
-- version of the profile are left out; a judge that repeats a recorded reply flips nothing.
SELECT * EXCLUDE (flip_interval), flip_interval[1] AS flip_low, flip_interval[2] AS flip_high
FROM (
    SELECT run_id, cell, judge_profile, matters, times AS judgements, criteria, flipped, flip_rate, differ_rate,
        ratio_interval(flipped_by_matter, criteria_by_matter) AS flip_interval
    FROM flip_rates
    WHERE over = 'judgements'
)
ORDER BY run_id, cell, judge_profile
