-- Criteria that no scored attempt of any cell passes, or that flip when one version of the judge scores one answer again.
-- Three scored attempts are the least that says something; a criterion may be hard, or its rubric may be wrong.
WITH tried AS (
    SELECT judge_profile, matter_id, criterion_id,
        count(*) AS attempts,
        count(*) FILTER (status = 'pass') AS passed
    FROM scored_criteria
    WHERE status <> 'unscored'
    GROUP BY ALL
),
flips AS (
    SELECT judge_profile, matter_id, criterion_id, count(*) AS judged_again,
        count(*) FILTER (passed BETWEEN 1 AND n - 1) AS flipped
    FROM repeated_scores
    WHERE over = 'judgements'
    GROUP BY ALL
),
defective AS (
    SELECT t.judge_profile, t.matter_id, t.criterion_id, t.attempts, t.passed, f.judged_again, f.flipped
    FROM tried t
    LEFT JOIN flips f USING (judge_profile, matter_id, criterion_id)
    WHERE (t.passed = 0 AND t.attempts >= 3) OR f.flipped > 0
),
tried_in AS (
    SELECT judge_profile, matter_id, criterion_id, count(DISTINCT run_id || '/' || cell) AS cells
    FROM scored_criteria SEMI JOIN defective USING (judge_profile, matter_id, criterion_id)
    WHERE status <> 'unscored'
    GROUP BY ALL
)
SELECT t.judge_profile, t.matter_id, t.criterion_id,
    concat_ws(' and ', CASE WHEN t.passed = 0 AND t.attempts >= 3 THEN 'never passes' END,
        CASE WHEN t.flipped > 0 THEN 'flips' END) AS why,
    c.cells, t.attempts, t.passed, coalesce(t.judged_again, 0) AS judged_again, coalesce(t.flipped, 0) AS flipped
FROM defective t
JOIN tried_in c USING (judge_profile, matter_id, criterion_id)
ORDER BY flipped DESC, t.attempts DESC, t.judge_profile, t.matter_id, t.criterion_id
