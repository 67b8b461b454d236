-- The latest checklist judgement of each counted attempt by each judge profile. Scores by another version of a checklist
-- are not those of this one: they are told apart wherever scores are told.
CREATE OR REPLACE VIEW latest_checklists AS
SELECT a.run_id, a.cell, a.area, a.work_type, a.matter_id, a.epoch, s.*
FROM checklist_score s
JOIN counted_attempts a USING (attempt_id)
QUALIFY s.judged_utc = max(s.judged_utc) OVER (PARTITION BY s.attempt_id, s.judge_profile);
