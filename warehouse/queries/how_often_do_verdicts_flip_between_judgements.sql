-- Judge variance: criteria of one attempt that the same judge passes in one judgement and fails in another, with the interval by matter.
-- Nothing was drafted anew, so what differs is the judge. Criteria that were scored in fewer than two judgements of one
-- version of the profile are left out; a judge that repeats a recorded reply flips nothing.
WITH judged_again AS (
    SELECT attempt_id, judge_profile FROM verdict
    GROUP BY attempt_id, judge_profile HAVING min(judged_utc) < max(judged_utc)
),
repeated AS (
    SELECT a.run_id, a.cell, v.judge_profile, a.matter_id, v.attempt_id, v.criterion_id, count(*) AS n,
        count(*) FILTER (v.status = 'pass') AS passed
    FROM verdict v
    SEMI JOIN judged_again USING (attempt_id, judge_profile)
    JOIN counted_attempts a USING (attempt_id)
    LEFT JOIN judgement j USING (attempt_id, judge_profile, judged_utc)
    WHERE v.status <> 'unscored'
    GROUP BY a.run_id, a.cell, v.judge_profile, coalesce(j.profile_version, ''), a.matter_id, v.attempt_id, v.criterion_id
    HAVING count(*) > 1
),
by_matter AS (
    SELECT run_id, cell, judge_profile, matter_id, count(*) AS criteria, max(n) AS judgements,
        count(*) FILTER (passed BETWEEN 1 AND n - 1) AS flipped,
        sum(2 * passed * (n - passed) / (n * (n - 1))) AS differ
    FROM repeated
    GROUP BY run_id, cell, judge_profile, matter_id
),
told AS (
    SELECT run_id, cell, judge_profile, count(*) AS matters, max(judgements) AS judgements,
        CAST(sum(criteria) AS BIGINT) AS criteria, CAST(sum(flipped) AS BIGINT) AS flipped,
        sum(flipped) / sum(criteria) AS flip_rate, sum(differ) / sum(criteria) AS differ_rate,
        ratio_interval(
            list(CAST(flipped AS DOUBLE) ORDER BY matter_id), list(CAST(criteria AS DOUBLE) ORDER BY matter_id)
        ) AS flip_interval
    FROM by_matter
    GROUP BY run_id, cell, judge_profile
)
SELECT * EXCLUDE (flip_interval), flip_interval[1] AS flip_low, flip_interval[2] AS flip_high
FROM told
ORDER BY run_id, cell, judge_profile
