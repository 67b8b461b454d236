-- Failed criteria that fit no error class: their share of all failures, and the words most of their titles have.
WITH failed AS (
    SELECT run_id, cell, judge_profile, CAST(sum(failed) AS BIGINT) AS failed,
        CAST(coalesce(sum(failed) FILTER (error_class = 'other'), 0) AS BIGINT) AS other
    FROM failed_criteria
    WHERE unit = 'class'
    GROUP BY run_id, cell, judge_profile
)
SELECT f.run_id, f.cell, f.judge_profile, f.failed, f.other, f.other / f.failed AS share, c.word, c.titles
FROM failed f
LEFT JOIN words_of_other c USING (run_id, cell, judge_profile)
ORDER BY f.run_id, f.cell, f.judge_profile, c.titles DESC NULLS LAST, c.word
