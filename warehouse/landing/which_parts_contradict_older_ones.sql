-- Parts whose owners (an attempt, a judgement) have other rows already, landed or in an older part of the batch. Rows
-- that two versions of their record wrote are compared by the columns that both versions knew: contents has one hash a
-- version, of the columns up to it, and an owner is as old as the oldest of its rows.
WITH mine AS (
    SELECT part, part_position, $owner, min(schema_version) AS version, $contents AS contents
    FROM staged SEMI JOIN shared USING ($owner)
    GROUP BY part, part_position, $owner
),
landed AS (
    SELECT -1 AS part_position, $owner, min(schema_version) AS version, $contents AS contents
    FROM $table SEMI JOIN shared USING ($owner)
    GROUP BY $owner
),
theirs AS (
    SELECT part_position, $owner, version, contents FROM mine
    UNION ALL
    SELECT part_position, $owner, version, contents FROM landed
)
SELECT DISTINCT mine.part
FROM mine JOIN theirs USING ($owner)
WHERE theirs.part_position < mine.part_position
    AND mine.contents[$known] <> theirs.contents[$known]
