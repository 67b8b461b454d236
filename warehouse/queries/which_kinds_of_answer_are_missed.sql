-- Pooled pass by kind of anchor: date, value, span, absence.
SELECT * FROM match_kinds ORDER BY run_id, cell, judge_profile, match_kind
