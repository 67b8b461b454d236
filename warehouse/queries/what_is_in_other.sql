-- Failed criteria that fit no error class: their share of all failures, and the words most of their titles have.
WITH failed AS (
    SELECT run_id, cell, judge_profile, CAST(sum(failed) AS BIGINT) AS failed,
        CAST(coalesce(sum(failed) FILTER (error_class = 'other'), 0) AS BIGINT) AS other
    FROM failed_criteria
    WHERE unit = 'class'
    GROUP BY run_id, cell, judge_profile
),
words AS (
    SELECT run_id, cell, judge_profile,
        unnest(list_distinct(regexp_extract_all(lower(title), '\p{L}{4,}'))) AS word
    FROM criteria_results
    WHERE status = 'fail' AND error_class = 'other'
),
commonest AS (
    SELECT run_id, cell, judge_profile, word, count(*) AS titles
    FROM words
    GROUP BY run_id, cell, judge_profile, word
    QUALIFY row_number() OVER (PARTITION BY run_id, cell, judge_profile ORDER BY titles DESC, word) <= 15
)
SELECT f.run_id, f.cell, f.judge_profile, f.failed, f.other, f.other / f.failed AS share, c.word, c.titles
FROM failed f
LEFT JOIN commonest c USING (run_id, cell, judge_profile)
ORDER BY f.run_id, f.cell, f.judge_profile, c.titles DESC NULLS LAST, c.word
