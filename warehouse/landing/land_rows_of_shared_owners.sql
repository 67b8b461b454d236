-- A row that several parts hold lands once, from the oldest of them.
INSERT INTO $table (part, $columns)
SELECT part, $columns FROM staged ANTI JOIN shared USING ($owner)
UNION ALL
(
    SELECT part, $columns
    FROM staged SEMI JOIN shared USING ($owner) ANTI JOIN $table USING ($keys)
    QUALIFY row_number() OVER (PARTITION BY $keys ORDER BY part_position) = 1
)
