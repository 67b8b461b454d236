WITH readings AS (
    SELECT DISTINCT ON (entry) entry, form, agrees, in_catalogue FROM evidence.citations WHERE family = 'windows'
),
computed AS (SELECT DISTINCT ON (entry) entry, problem FROM evidence.windows),
calendars AS (
    SELECT calendar_id AS name FROM knowledge.calendars
    UNION ALL SELECT unnest(aliases) FROM knowledge.calendars
)
SELECT window_id AS entry, concat_ws(' | ', regime, "trigger", action, authority, direction) AS regime_and_event,
    problem, split_part(window_id, '/', 1) = domain AS in_its_domain,
    trim(regime) <> '' AND trim("trigger") <> '' AND trim(action) <> '' AS says_what_and_when,
    in_catalogue OR form IN ('read', 'partly', 'by_name') AS rests_on_law,
    calendar_set = '' OR calendar_set IN (SELECT name FROM calendars) AS calendar_is_held,
    CASE unit WHEN 'hour' THEN n <= 720 WHEN 'day' THEN n <= 3650 WHEN 'week' THEN n <= 520 WHEN 'month' THEN n <= 360
        ELSE n <= 100 END AND n > 0 AS period_is_in_range,
    roll = 'none' OR (roll = 'next') = (direction = 'after') OR direction = 'before' AS roll_fits
FROM knowledge.windows
LEFT JOIN readings ON readings.entry = window_id
LEFT JOIN computed ON computed.entry = window_id
