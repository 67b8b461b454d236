SELECT part, room, session, number, ask_id, state, state <> 'answered' OR answer <> '' AS answer_is_there,
    number >= 1 AS questions_are_counted_from_one
FROM session_ask
