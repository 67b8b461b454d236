-- Every question of the sessions of `solon ask`: what became of it, what it rests on, and what is open in its session so far.
-- A question may ask several things, each of which has a row. Sessions land with `solon land`; they belong to no run.
SELECT room, session, number, ask_id, asked_utc, profile, kind, state, words, answer, documents, passages, to_verify, turns,
    missing,
    count(*) FILTER (state <> 'answered') OVER (PARTITION BY room, session ORDER BY number, ask_id) AS open_so_far
FROM session_ask
ORDER BY room, session, number, ask_id
