-- What the trajectories of a cell were like, on average over its counted attempts that were measured. An attempt that
-- failed (a provider, a reader) tells nothing of how the agent works, and is not measured. Turns of the first read and
-- write are averages over the attempts that did read or write.
CREATE OR REPLACE TABLE trajectories AS
SELECT
    a.run_id, a.cell,
    count(*) AS attempts,
    count(m.attempt_id) AS measured,
    avg(a.turns) FILTER (m.attempt_id IS NOT NULL) AS turns,
    avg(m.actions) AS actions,
    avg(m.lookups) AS lookups,
    avg(m.words) AS words,
    avg(m.tool_errors) AS tool_errors,
    avg(m.first_read_turn) FILTER (m.first_read_turn > 0) AS first_read_turn,
    avg(m.first_write_turn) FILTER (m.first_write_turn > 0) AS first_write_turn,
    count(*) FILTER (m.wrote_before_reading) AS wrote_before_reading,
    count(*) FILTER (m.audited_before_finishing) AS audited_before_finishing,
    count(*) FILTER (m.skill_loaded <> '') AS loaded_a_skill,
    count(*) FILTER (m.skill_loaded <> '' AND m.skill_loaded = split_part(a.skill_id, '/', -1)) AS loaded_its_skill,
    sum(m.documents_opened) / nullif(sum(m.documents), 0) AS opened_share,
    sum(m.served) / nullif(sum(m.characters), 0) AS served_share
FROM counted_attempts a
LEFT JOIN trajectory_measure m ON m.attempt_id = a.attempt_id AND a.outcome <> 'failed'
GROUP BY a.run_id, a.cell;
