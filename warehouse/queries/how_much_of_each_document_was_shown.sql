-- Documents by the share that the solver was shown, least first; what was shown twice counts once. Failed attempts are left out.
SELECT a.run_id, a.cell, a.matter_id, s.document, s.characters, s.served, s.served / nullif(s.characters, 0) AS share,
    s.attempt_id
FROM document_served s JOIN counted_attempts a USING (attempt_id)
WHERE a.outcome <> 'failed'
ORDER BY a.run_id, a.cell, share, a.matter_id, s.document, s.attempt_id
