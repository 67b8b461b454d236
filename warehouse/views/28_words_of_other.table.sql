-- The fifteen words that most titles of failed criteria without an error class have, by cell and judge.
CREATE OR REPLACE TABLE words_of_other AS
WITH words AS (
    SELECT run_id, cell, judge_profile,
        unnest(list_distinct(regexp_extract_all(lower(title), '\p{L}{4,}'))) AS word
    FROM criteria_results
    WHERE status = 'fail' AND error_class = 'other'
)
SELECT run_id, cell, judge_profile, word, count(*) AS titles
FROM words
GROUP BY run_id, cell, judge_profile, word
QUALIFY row_number() OVER (PARTITION BY run_id, cell, judge_profile ORDER BY titles DESC, word) <= 15;
