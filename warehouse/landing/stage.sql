-- Declared column by column: DuckDB 2.0 loses sight of rows that are inserted in parallel into a table that the same
-- transaction made from an empty query.
CREATE OR REPLACE TEMP TABLE staged ($declared, part VARCHAR, part_position BIGINT)
