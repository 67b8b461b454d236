WITH tried AS (
    SELECT entry, max(problem) AS problem FROM evidence.patterns WHERE family = 'inference' GROUP BY entry
),
led AS (SELECT entry, bool_and(found) AS found FROM evidence.triggers GROUP BY entry)
SELECT concat_ws(': ', document_type, pattern) AS entry, "where" AS place, area, weight, tried.problem,
    trim(document_type) <> '' AS names_a_type,
    coalesce((SELECT bool_and(found) FROM led
        WHERE list_contains(list_transform(retrieve, lambda r: concat_ws(': ', document_type, r)), led.entry)), true)
        AS triggers_lead_somewhere,
    len(list_filter(retrieve, lambda r: trim(r) = '')) = 0 AS triggers_say_something
FROM knowledge.inference LEFT JOIN tried ON tried.entry = concat_ws(': ', document_type, pattern)
