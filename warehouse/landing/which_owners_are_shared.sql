-- Owners (an attempt, a judgement; without owners the rows themselves) that landed before, or that several parts of the
-- batch hold: theirs are the only rows that can contradict others or come twice.
CREATE OR REPLACE TEMP TABLE shared AS
SELECT DISTINCT $owner FROM staged SEMI JOIN $table USING ($owner)
UNION
SELECT $owner FROM staged GROUP BY $owner HAVING min(part_position) < max(part_position)
