-- Turns, actions, first read and write, tool errors, audits and the share of the documents that was shown, by cell.
SELECT * FROM trajectories ORDER BY run_id, cell
