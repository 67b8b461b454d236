WITH names AS (
    SELECT calendar_id AS entry, calendar_id AS name FROM knowledge.calendars
    UNION ALL SELECT calendar_id, unnest(aliases) FROM knowledge.calendars
)
SELECT names.entry, names.name,
    trim(authority) <> '' AND trim(c.name) <> '' AS has_name_and_authority,
    c.place = '' OR place_name LIKE '%{place}%' AS place_has_a_name,
    known[1] <= known[2] AS years_are_in_order,
    NOT needs_place OR c.place <> '' AS place_is_possible,
    (len(doubtful) = 0) = (doubt = '') AS doubts_have_a_reason,
    len(list_filter(doubtful, lambda d: d < DATE '1970-01-01' OR d > DATE '2100-01-01')) = 0 AS doubtful_days_in_range,
    len(sources) > 0 OR names.entry IN ('weekends', 'eu') AS holidays_are_known
FROM names JOIN knowledge.calendars AS c ON c.calendar_id = names.entry
