-- What the knowledge holds of each jurisdiction: authorities by kind, deadline regimes, calendars and rules of counting.
WITH held AS (
    SELECT jurisdiction, kind AS family FROM knowledge.authorities
    UNION ALL SELECT jurisdiction, 'window' FROM knowledge.windows
    UNION ALL SELECT jurisdiction, 'calendar' FROM knowledge.calendars
    UNION ALL SELECT jurisdiction, 'counting' FROM knowledge.counting
)
SELECT jurisdiction, count(*) AS entries,
    count(*) FILTER (family NOT IN ('window', 'calendar', 'counting')) AS authorities,
    count(*) FILTER (family = 'statute') AS statutes,
    count(*) FILTER (family IN ('regulation', 'rule')) AS regulations_and_rules,
    count(*) FILTER (family = 'case') AS cases,
    count(*) FILTER (family = 'window') AS windows,
    count(*) FILTER (family = 'calendar') AS calendars,
    count(*) FILTER (family = 'counting') AS rules_of_counting
FROM held GROUP BY jurisdiction
ORDER BY entries DESC, jurisdiction
