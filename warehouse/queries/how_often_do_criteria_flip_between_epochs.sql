-- Answer variance: criteria that pass in one epoch of a cell and fail in another under the same judge, with the interval by matter.
-- Differ is the chance that two epochs of a criterion differ; the judge's own variance is in it (see the flips between
-- judgements). Criteria that were scored in fewer than two epochs by one version of the judge are left out.
WITH tried_again AS (
    SELECT run_id, cell, matter_id FROM counted_attempts
    GROUP BY run_id, cell, matter_id HAVING min(epoch) < max(epoch)
),
repeated AS (
    SELECT s.run_id, s.cell, s.judge_profile, s.matter_id, s.criterion_id, count(*) AS n,
        count(*) FILTER (s.status = 'pass') AS passed
    FROM scored_criteria s
    SEMI JOIN tried_again USING (run_id, cell, matter_id)
    LEFT JOIN judgement j USING (attempt_id, judge_profile, judged_utc)
    WHERE s.status <> 'unscored'
    GROUP BY s.run_id, s.cell, s.judge_profile, coalesce(j.profile_version, ''), s.matter_id, s.criterion_id
    HAVING count(*) > 1
),
by_matter AS (
    SELECT run_id, cell, judge_profile, matter_id, count(*) AS criteria, max(n) AS epochs,
        count(*) FILTER (passed BETWEEN 1 AND n - 1) AS flipped,
        sum(2 * passed * (n - passed) / (n * (n - 1))) AS differ
    FROM repeated
    GROUP BY run_id, cell, judge_profile, matter_id
),
told AS (
    SELECT run_id, cell, judge_profile, count(*) AS matters, max(epochs) AS epochs,
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
