-- The same with its words and the title of its matter. What needs no words asks scored_criteria.
CREATE OR REPLACE VIEW criteria_results AS
SELECT
    s.run_id, s.cell, s.judge_profile, s.area, s.work_type, s.matter_id, a.title AS matter_title, s.epoch,
    s.attempt_id, s.criterion_id, coalesce(v.title, 'lost verdict') AS title, s.status, s.cause, s.match_kind,
    s.error_class, s.outcome,
    coalesce(v.reasoning, format('{} of {} verdicts of this judgement are lost', l.lost, l.criteria)) AS reasoning,
    coalesce(v.quote, '') AS quote, s.judged_utc
FROM scored_criteria s
JOIN counted_attempts a USING (attempt_id)
LEFT JOIN verdict v USING (attempt_id, judge_profile, judged_utc, criterion_id)
LEFT JOIN lost_verdicts l USING (attempt_id, judge_profile, judged_utc);
