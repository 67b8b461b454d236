-- Figure 11, B: difference of each matter between two cells under one judge, over the criteria that both scored, with the size of its data room.
WITH sized AS (
    SELECT run_id, matter_id, max(characters) AS characters FROM attempt_work GROUP BY run_id, matter_id
)
SELECT p.run_id, p.judge_profile, p.cell, p.other_cell, p.area, p.matter_id, s.characters, p.criteria, p.passed,
    p.other_passed, p.gained, p.lost, p.difference
FROM paired_matters p
LEFT JOIN sized s USING (run_id, matter_id)
ORDER BY p.run_id, p.judge_profile, p.cell, p.other_cell, p.difference, p.matter_id
