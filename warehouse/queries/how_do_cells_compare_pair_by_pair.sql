-- Each two cells of a run under one judge, paired by matter: difference (other less cell) with its 95 % interval, sign test and McNemar.
-- The interval draws whole matters, whose criteria fall together; McNemar takes criteria as independent, so its p is too
-- small. What either cell left unscored is left out of the pair. With fewer than ten matters no interval is to be believed.
WITH pairs AS (
    SELECT run_id, judge_profile, cell, other_cell, count(*) AS matters,
        CAST(sum(criteria) AS BIGINT) AS criteria,
        sum(other_passed - passed) / sum(criteria) AS pooled_difference,
        avg(difference) AS matter_difference,
        list({
            'gain': CAST(other_passed - passed AS DOUBLE), 'criteria': CAST(criteria AS DOUBLE), 'difference': difference
        } ORDER BY matter_id) AS by_matter,
        count(*) FILTER (difference > 0) AS better,
        count(*) FILTER (difference < 0) AS worse,
        count(*) FILTER (difference = 0) AS same,
        CAST(sum(gained) AS BIGINT) AS gained,
        CAST(sum(lost) AS BIGINT) AS lost
    FROM paired_matters
    GROUP BY run_id, judge_profile, cell, other_cell
),
drawn AS (
    SELECT * EXCLUDE (by_matter),
        ratio_interval([m.gain FOR m IN by_matter], [m.criteria FOR m IN by_matter]) AS pooled_interval,
        ratio_interval([m.difference FOR m IN by_matter], [1.0::DOUBLE FOR m IN by_matter]) AS matter_interval
    FROM pairs
)
SELECT run_id, judge_profile, cell, other_cell, matters, criteria,
    pooled_difference, pooled_interval[1] AS pooled_low, pooled_interval[2] AS pooled_high,
    matter_difference, matter_interval[1] AS matter_low, matter_interval[2] AS matter_high,
    better, worse, same, exact_p(better, worse) AS sign_p, gained, lost, exact_p(gained, lost) AS mcnemar_p
FROM drawn
ORDER BY run_id, judge_profile, cell, other_cell
