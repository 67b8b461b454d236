-- The same with its words and the title of its matter. What needs no words asks scored_criteria. A verdict is joined by
-- its status and class too, so that a question about some of them reads those alone.
CREATE OR REPLACE VIEW criteria_results AS
SELECT
    s.run_id, s.cell, s.judge_profile, s.area, s.work_type, s.matter_id, a.title AS matter_title, s.epoch,
    s.attempt_id, s.criterion_id, coalesce(v.title, 'lost verdict') AS title, s.status, s.cause, s.match_kind,
    s.error_class, s.outcome,
    coalesce(v.reasoning, format('{} of {} verdicts of this judgement are lost', l.lost, l.criteria)) AS reasoning,
    coalesce(v.quote, '') AS quote, s.judged_utc, s.place
FROM scored_criteria s
JOIN counted_attempts a USING (attempt_id)
LEFT JOIN verdict v
    ON v.attempt_id = s.attempt_id AND v.judge_profile = s.judge_profile AND v.judged_utc = s.judged_utc
    AND v.criterion_id = s.criterion_id AND v.status = s.status AND v.error_class = s.error_class
LEFT JOIN lost_verdicts l
    ON l.attempt_id = s.attempt_id AND l.judge_profile = s.judge_profile AND l.judged_utc = s.judged_utc;
