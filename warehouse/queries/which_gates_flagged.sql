-- Release gates: how much each checked and verified, and how many attempts it flagged or blocked.
SELECT * EXCLUDE (position) FROM gate_flags ORDER BY run_id, cell, position, gate
