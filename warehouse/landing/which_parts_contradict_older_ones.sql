-- Parts whose owners (an attempt, a judgement) have other rows already, landed or in an older part of the batch.
WITH mine AS (
    SELECT part, part_position, $owner,
        md5(string_agg(md5(CAST(to_json(struct_pack($fields)) AS VARCHAR)), '' ORDER BY $keys)) AS content
    FROM staged
    GROUP BY part, part_position, $owner
),
landed AS (
    SELECT -1 AS part_position, $owner,
        md5(string_agg(md5(CAST(to_json(struct_pack($fields)) AS VARCHAR)), '' ORDER BY $keys)) AS content
    FROM $table
    WHERE ($owner) IN (SELECT ($owner) FROM staged)
    GROUP BY $owner
),
theirs AS (
    SELECT part_position, $owner, content FROM mine
    UNION ALL
    SELECT part_position, $owner, content FROM landed
)
SELECT DISTINCT mine.part
FROM mine JOIN theirs USING ($owner)
WHERE theirs.part_position < mine.part_position AND mine.content <> theirs.content
