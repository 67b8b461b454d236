-- Documents read whole, in part and not at all, by cell.
SELECT * FROM document_coverage ORDER BY run_id, cell
