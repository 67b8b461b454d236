INSERT INTO manifest SELECT part, '$table', count(*) FROM staged GROUP BY part
