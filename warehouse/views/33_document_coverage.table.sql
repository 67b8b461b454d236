-- Documents of the data rooms by whether they were read. Attempts that failed are left out: a reader of ours that failed
-- says nothing of how much a cell reads (which documents it was is told by which_documents_were_not_read).
CREATE OR REPLACE TABLE document_coverage AS
SELECT
    a.run_id, a.cell,
    count(*) AS documents,
    count(*) FILTER (c.status = 'read') AS read_whole,
    count(*) FILTER (c.status = 'partial') AS read_in_part,
    count(*) FILTER (c.status = 'unread') AS unread,
    (read_whole + read_in_part) / documents AS read_share
FROM coverage c
JOIN counted_attempts a USING (attempt_id)
WHERE a.outcome <> 'failed'
GROUP BY a.run_id, a.cell;
