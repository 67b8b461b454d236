-- No other part and no landed row has an owner of these rows.
INSERT INTO $table (part, $columns) SELECT part, $columns FROM staged
