-- Documents unread or read in part, with the reason.
SELECT a.run_id, a.cell, a.matter_id, c.document, c.status, c.cause, c.message
FROM coverage c JOIN counted_attempts a USING (attempt_id)
WHERE c.status <> 'read'
ORDER BY a.run_id, a.cell, a.matter_id, c.document
