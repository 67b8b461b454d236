-- One row a criterion of a counted attempt and judge profile, with the matter it belongs to.
CREATE OR REPLACE VIEW criteria_results AS
SELECT
    a.run_id, a.cell, v.judge_profile, a.area, a.work_type, a.matter_id, a.title AS matter_title, a.epoch, v.attempt_id,
    v.criterion_id, v.title, v.status, v.cause, v.match_kind, v.error_class, v.outcome, v.reasoning, v.quote, v.judged_utc
FROM latest_verdicts v
JOIN counted_attempts a USING (attempt_id);
