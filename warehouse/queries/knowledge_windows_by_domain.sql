-- Which deadline regimes the knowledge holds, by domain: how they count and by which calendars.
SELECT domain, count(*) AS windows, count(DISTINCT authority) AS authorities,
    count(*) FILTER (calendar = 'business') AS in_business_days,
    count(*) FILTER (direction = 'before') AS before_an_event,
    string_agg(DISTINCT calendar_set, ', ' ORDER BY calendar_set) AS calendars
FROM knowledge.windows GROUP BY domain
ORDER BY windows DESC, domain
