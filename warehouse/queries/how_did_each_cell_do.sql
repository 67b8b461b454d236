-- Pooled pass, all-pass, what is unscored, blocked or unjudged, words, time and cost of each cell.
SELECT * FROM cells ORDER BY run_id, judge_profile, pooled_pass DESC NULLS LAST, cell
