-- A row of an attempt may be written before the attempt's own row; it lands with it.
SELECT DISTINCT part FROM staged WHERE attempt_id NOT IN (SELECT attempt_id FROM $parent)
