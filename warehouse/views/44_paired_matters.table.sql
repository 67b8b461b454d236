-- Two cells of a run on one matter under the same judge, over the criteria of the epochs that both scored: what either
-- left unscored, or never had, is no loss of the other. Gained are criteria that pass under the other cell alone. What
-- two versions of a judge's profile said is never compared.
-- The criteria of a matter are laid side by side as bits of numbers, sixty to a number: to compare two cells criterion by
-- criterion would take as many rows as there are criteria and pairs of cells.
CREATE OR REPLACE TABLE paired_matters AS
WITH places AS (
    SELECT s.run_id, s.judge_profile, a.profile_version, s.cell, s.area, s.matter_id,
        s.epoch, s.criterion_number // 60 AS block,
        bit_or(1::UBIGINT << (s.criterion_number % 60)) AS scored,
        coalesce(bit_or(1::UBIGINT << (s.criterion_number % 60)) FILTER (s.status = 'pass'), 0) AS passed
    FROM scored_criteria s
    JOIN scored_attempts a USING (attempt_id, judge_profile)
    WHERE s.status <> 'unscored'
    GROUP BY s.run_id, s.judge_profile, a.profile_version, s.cell, s.area, s.matter_id, s.epoch, block
)
SELECT
    x.run_id, x.judge_profile, x.cell, y.cell AS other_cell, x.area, x.matter_id,
    CAST(sum(bit_count(x.scored & y.scored)) AS BIGINT) AS criteria,
    CAST(sum(bit_count(x.passed & y.scored)) AS BIGINT) AS passed,
    CAST(sum(bit_count(x.scored & y.passed)) AS BIGINT) AS other_passed,
    CAST(sum(bit_count(y.passed & x.scored & ~x.passed)) AS BIGINT) AS gained,
    CAST(sum(bit_count(x.passed & y.scored & ~y.passed)) AS BIGINT) AS lost,
    (gained - lost) / criteria AS difference
FROM places x
JOIN places y USING (run_id, judge_profile, profile_version, matter_id, epoch, block)
WHERE x.cell < y.cell
GROUP BY x.run_id, x.judge_profile, x.cell, y.cell, x.area, x.matter_id
HAVING criteria > 0;
