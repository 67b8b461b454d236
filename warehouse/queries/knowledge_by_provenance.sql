-- Against what the entries of the knowledge were checked, and as of when.
WITH held AS (
    SELECT 'authorities' AS family, provenance, as_of FROM knowledge.authorities
    UNION ALL SELECT 'windows', provenance, as_of FROM knowledge.windows
    UNION ALL SELECT 'deliverables', provenance, as_of FROM knowledge.deliverables WHERE position = 1
    UNION ALL SELECT 'calendars', provenance, as_of FROM knowledge.calendars
    UNION ALL SELECT 'counting', provenance, as_of FROM knowledge.counting
    UNION ALL SELECT DISTINCT ON (concept) 'synonyms', provenance, as_of FROM knowledge.synonyms
    UNION ALL SELECT 'inference', provenance, as_of FROM knowledge.inference
    UNION ALL SELECT 'provisions', provenance, as_of FROM knowledge.provisions
    UNION ALL SELECT 'citation_forms', provenance, as_of FROM knowledge.citation_forms
)
SELECT family, coalesce(level, 'unknown') AS level, provenance, as_of, count(*) AS entries
FROM held LEFT JOIN knowledge.sources ON starts_with(provenance, source)
GROUP BY family, level, provenance, as_of
ORDER BY family, entries DESC, provenance, as_of
