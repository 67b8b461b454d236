-- Judgements that gave more verdicts than are here: the part of the others is gone, or in quarantine.
CREATE OR REPLACE TABLE lost_verdicts AS
WITH here AS (
    SELECT attempt_id, judge_profile, judged_utc, count(*) AS n FROM verdict GROUP BY ALL
)
SELECT
    a.run_id, a.cell, a.matter_id, j.attempt_id, j.judge_profile, j.judged_utc, j.criteria,
    coalesce(here.n, 0) AS verdicts,
    j.criteria - coalesce(here.n, 0) AS lost
FROM judgement j
JOIN attempt a USING (attempt_id)
LEFT JOIN here USING (attempt_id, judge_profile, judged_utc)
WHERE coalesce(here.n, 0) < j.criteria;
