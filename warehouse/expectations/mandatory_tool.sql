SELECT t.part, t.attempt_id, t.tool, a.attempt_id IS NOT NULL AS attempt_landed
FROM mandatory_tool t
LEFT JOIN attempt a USING (attempt_id)
