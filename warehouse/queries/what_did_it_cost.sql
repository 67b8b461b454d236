-- Calls, tokens in disjoint columns and US dollars, by role: solver, judge, proposer.
SELECT * FROM spending ORDER BY run_id, cell, role, profile
