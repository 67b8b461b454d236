-- Attempts whose information flow is not sound: what the judge alone may be sent went to others, or calls are not told.
SELECT a.run_id, a.cell, a.matter_id, 'attempt' AS found_in, c.problems, c.attempt_id
FROM flow_check c JOIN attempt a USING (attempt_id)
WHERE c.status <> 'sound'
UNION ALL
SELECT run_id, cell, matter_id, 'other attempt',
    format('{} messages of the judge were sent to {}', count(*), string_agg(DISTINCT role, ', ' ORDER BY role)),
    attempt_id
FROM leaks
WHERE judged_in <> attempt_id
GROUP BY run_id, cell, matter_id, attempt_id
ORDER BY run_id, cell, matter_id, found_in, attempt_id
