-- Two cells of a run on one matter under the same judge, over the criteria of the epochs that both scored: what either
-- left unscored, or never had, is no loss of the other. Gained are criteria that pass under the other cell alone. What
-- two versions of a judge's profile said is never compared. Attempts are numbered and criteria hashed: a corpus has
-- millions of pairs of criteria, and names of that many are slow to compare.
CREATE OR REPLACE VIEW paired_matters AS
WITH attempts AS MATERIALIZED (
    SELECT s.attempt_id, s.judge_profile, s.run_id, s.cell, s.area, s.matter_id, s.epoch,
        coalesce(j.profile_version, '') AS profile_version,
        row_number() OVER (ORDER BY s.attempt_id, s.judge_profile) AS number
    FROM scored_attempts s
    LEFT JOIN (
        SELECT attempt_id, judge_profile, arg_max(profile_version, judged_utc) AS profile_version
        FROM judgement GROUP BY attempt_id, judge_profile
    ) j USING (attempt_id, judge_profile)
),
places AS MATERIALIZED (
    SELECT a.number, hash(c.criterion_id) AS place, c.status = 'pass' AS passed
    FROM scored_criteria c
    JOIN attempts a USING (attempt_id, judge_profile)
    WHERE c.status <> 'unscored'
),
pairs AS (
    SELECT x.number, y.number AS other_number, x.run_id, x.judge_profile, x.cell, y.cell AS other_cell, x.area, x.matter_id
    FROM attempts x
    JOIN attempts y USING (run_id, judge_profile, profile_version, matter_id, epoch)
    WHERE x.cell < y.cell
),
compared AS (
    SELECT p.number, p.other_number,
        count(*) AS criteria,
        count(*) FILTER (x.passed) AS passed,
        count(*) FILTER (y.passed) AS other_passed,
        count(*) FILTER (y.passed AND NOT x.passed) AS gained,
        count(*) FILTER (x.passed AND NOT y.passed) AS lost
    FROM (SELECT number, other_number FROM pairs) p
    JOIN places x ON x.number = p.number
    JOIN places y ON y.number = p.other_number AND y.place = x.place
    GROUP BY p.number, p.other_number
)
SELECT
    p.run_id, p.judge_profile, p.cell, p.other_cell, p.area, p.matter_id,
    CAST(sum(c.criteria) AS BIGINT) AS criteria,
    CAST(sum(c.passed) AS BIGINT) AS passed,
    CAST(sum(c.other_passed) AS BIGINT) AS other_passed,
    CAST(sum(c.gained) AS BIGINT) AS gained,
    CAST(sum(c.lost) AS BIGINT) AS lost,
    (sum(c.gained) - sum(c.lost)) / sum(c.criteria) AS difference
FROM pairs p
JOIN compared c USING (number, other_number)
GROUP BY p.run_id, p.judge_profile, p.cell, p.other_cell, p.area, p.matter_id;
