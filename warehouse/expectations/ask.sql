SELECT k.part, k.attempt_id, k.position, k.state, k.state <> 'answered' OR k.answer <> '' AS answer_is_there,
    a.attempt_id IS NOT NULL AS attempt_landed
FROM ask k
LEFT JOIN attempt a USING (attempt_id)
