-- Calls, tokens in disjoint columns and US dollars, as billed and with cached reads free, by role: solver, judge, proposer.
-- Who asks on the solver's behalf (chooser, interrogator, researcher) has rows of its own.
SELECT * FROM spending ORDER BY run_id, cell, role, profile
