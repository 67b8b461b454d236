SELECT DISTINCT part FROM staged GROUP BY part, $keys HAVING count(*) > 1
