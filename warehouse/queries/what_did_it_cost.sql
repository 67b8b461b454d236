-- Calls, tokens in disjoint columns and US dollars, as billed and with cached reads free, by role: solver, judge, proposer.
SELECT * FROM spending ORDER BY run_id, cell, role, profile
