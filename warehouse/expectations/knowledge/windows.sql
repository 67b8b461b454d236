WITH readings AS (
    SELECT DISTINCT ON (entry) entry, form, agrees, in_catalogue FROM evidence.citations WHERE family = 'windows'
),
computed AS (SELECT DISTINCT ON (entry) entry, problem FROM evidence.windows),
calendars AS (
    SELECT calendar_id AS name FROM knowledge.calendars
    UNION ALL SELECT unnest(aliases) FROM knowledge.calendars
),
families AS (
    SELECT calendar_id AS name FROM knowledge.calendars WHERE place <> ''
    UNION ALL SELECT unnest(place_aliases) FROM knowledge.calendars WHERE place <> ''
),
names AS (SELECT window_id AS name FROM knowledge.windows UNION ALL SELECT unnest(aliases) FROM knowledge.windows),
shared AS (SELECT coalesce(list(name), []) AS names FROM (SELECT name FROM names GROUP BY name HAVING count(*) > 1))
SELECT window_id AS entry, concat_ws(' | ', regime, "trigger", action, authority, direction) AS regime_and_event,
    problem, split_part(window_id, '/', 1) = domain AS in_its_domain,
    trim(regime) <> '' AND trim("trigger") <> '' AND trim(action) <> '' AS says_what_and_when,
    in_catalogue OR form IN ('read', 'partly', 'by_name') AS rests_on_law,
    calendar_set IN (SELECT name FROM calendars)
    OR EXISTS (SELECT 1 FROM families WHERE starts_with(calendar_set, families.name || '_')) AS calendar_is_held,
    NOT list_has_any(aliases, shared.names) AS short_ids_are_its_own,
    CASE unit WHEN 'hour' THEN n <= 720 WHEN 'day' THEN n <= 3650 WHEN 'week' THEN n <= 520 WHEN 'month' THEN n <= 360
        ELSE n <= 100 END AND (n > 0 OR starts_with(note, 'at once')) AS period_is_in_range,
    counting IN (SELECT counting_id FROM knowledge.counting) AS rule_of_counting_is_held
FROM knowledge.windows CROSS JOIN shared
LEFT JOIN readings ON readings.entry = window_id
LEFT JOIN computed ON computed.entry = window_id
