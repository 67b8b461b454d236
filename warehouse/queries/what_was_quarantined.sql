-- Parts that could not land, and why.
SELECT part, message FROM quarantine ORDER BY part
