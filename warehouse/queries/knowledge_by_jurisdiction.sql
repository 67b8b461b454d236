-- What the knowledge holds of each jurisdiction: authorities by kind, deadline regimes and calendars.
WITH held AS (
    SELECT jurisdiction, kind AS family FROM knowledge.authorities
    UNION ALL SELECT jurisdiction, 'window' FROM knowledge.windows
    UNION ALL SELECT jurisdiction, 'calendar' FROM knowledge.calendars
)
SELECT jurisdiction, count(*) AS entries,
    count(*) FILTER (family NOT IN ('window', 'calendar')) AS authorities,
    count(*) FILTER (family = 'statute') AS statutes,
    count(*) FILTER (family IN ('regulation', 'rule')) AS regulations_and_rules,
    count(*) FILTER (family = 'case') AS cases,
    count(*) FILTER (family = 'window') AS windows,
    count(*) FILTER (family = 'calendar') AS calendars
FROM held GROUP BY jurisdiction
ORDER BY entries DESC, jurisdiction
