-- Each two cells of different runs under one version of a judge, paired by matters of the same content: difference with its 95 % interval.
-- For drafts of others that were imported, or a harness of yesterday. A pair stands twice, once from either side (difference
-- is other less cell), so that --run-id finds it; only the twenty runs that ended last are compared. What two versions of a
-- judge said, or was left unscored, is left out; so is what one of both matters does not ask. The interval draws whole
-- matters: with fewer than ten none is to be believed.
WITH lately AS (
    SELECT run_id FROM runs ORDER BY coalesce(last_ended_utc, began_utc) DESC, run_id LIMIT 20
),
known AS (
    SELECT s.attempt_id, s.judge_profile, s.profile_version, a.matter_digest
    FROM scored_attempts s
    JOIN attempt a USING (attempt_id)
    WHERE s.run_id IN (SELECT run_id FROM lately) AND s.profile_version <> ''
    QUALIFY count(DISTINCT s.run_id) OVER (PARTITION BY s.judge_profile, s.profile_version, a.matter_digest) > 1
),
places AS (
    SELECT s.run_id, s.cell, s.judge_profile, k.profile_version, k.matter_digest, s.epoch, s.criterion_number // 60 AS block,
        bit_or(1::UBIGINT << (s.criterion_number % 60)) AS scored,
        coalesce(bit_or(1::UBIGINT << (s.criterion_number % 60)) FILTER (s.status = 'pass'), 0) AS passed
    FROM scored_criteria s
    JOIN known k USING (attempt_id, judge_profile)
    WHERE s.status <> 'unscored'
    GROUP BY ALL
),
by_matter AS (
    SELECT x.run_id, x.cell, y.run_id AS other_run_id, y.cell AS other_cell, x.judge_profile, x.profile_version, x.matter_digest,
        CAST(sum(bit_count(x.scored & y.scored)) AS BIGINT) AS criteria,
        CAST(sum(bit_count(y.passed & x.scored & ~x.passed)) AS BIGINT) AS gained,
        CAST(sum(bit_count(x.passed & y.scored & ~y.passed)) AS BIGINT) AS lost
    FROM places x
    JOIN places y USING (judge_profile, profile_version, matter_digest, epoch, block)
    WHERE x.run_id <> y.run_id
    GROUP BY ALL
    HAVING criteria > 0
),
pairs AS (
    SELECT run_id, cell, other_run_id, other_cell, judge_profile, profile_version, count(*) AS matters,
        CAST(sum(criteria) AS BIGINT) AS criteria,
        CAST(sum(gained) AS BIGINT) AS gained,
        CAST(sum(lost) AS BIGINT) AS lost,
        ratio_interval(
            list(CAST(gained - lost AS DOUBLE) ORDER BY matter_digest), list(CAST(criteria AS DOUBLE) ORDER BY matter_digest)
        ) AS drawn
    FROM by_matter
    GROUP BY ALL
)
SELECT run_id, cell, other_run_id, other_cell, judge_profile, matters, criteria, gained, lost,
    (gained - lost) / criteria AS difference, drawn[1] AS difference_low, drawn[2] AS difference_high,
    exact_p(gained, lost) AS mcnemar_p
FROM pairs
ORDER BY run_id, cell, other_run_id, other_cell, judge_profile, profile_version
