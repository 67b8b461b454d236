SELECT c.part, c.attempt_id, c.status, (c.status = 'sound') = (c.problems = '') AS problems_are_told,
    c.leaked + c.unlogged + c.unknown_roles + c.malformed = 0 OR c.status = 'violated' AS a_leak_is_a_violation,
    a.attempt_id IS NOT NULL AS attempt_landed
FROM flow_check c
LEFT JOIN attempt a USING (attempt_id)
