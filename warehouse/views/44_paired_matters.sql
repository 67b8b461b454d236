-- Two cells of a run on one matter under the same judge, over the criteria of the epochs that both scored: what either
-- left unscored, or never had, is no loss of the other. Gained are criteria that pass under the other cell alone.
CREATE OR REPLACE VIEW paired_matters AS
WITH places AS (
    SELECT run_id, judge_profile, cell, area, matter_id, epoch, criterion_id, status = 'pass' AS passed
    FROM criteria_results
    WHERE status <> 'unscored'
)
SELECT
    x.run_id, x.judge_profile, x.cell, y.cell AS other_cell, x.area, x.matter_id,
    count(*) AS criteria,
    count(*) FILTER (x.passed) AS passed,
    count(*) FILTER (y.passed) AS other_passed,
    count(*) FILTER (y.passed AND NOT x.passed) AS gained,
    count(*) FILTER (x.passed AND NOT y.passed) AS lost,
    (gained - lost) / count(*) AS difference
FROM places x
JOIN places y USING (run_id, judge_profile, matter_id, epoch, criterion_id)
WHERE x.cell < y.cell
GROUP BY ALL;
