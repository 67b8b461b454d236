-- How many rows and entries each family of the knowledge holds; citation forms are metadata and no entries.
WITH held AS (
    SELECT 'authorities' AS family, citation AS entry, true AS substantive, as_of FROM knowledge.authorities
    UNION ALL SELECT 'windows', window_id, true, as_of FROM knowledge.windows
    UNION ALL SELECT 'deliverables', type_id, true, as_of FROM knowledge.deliverables
    UNION ALL SELECT 'calendars', calendar_id, true, as_of FROM knowledge.calendars
    UNION ALL SELECT 'counting', counting_id, true, as_of FROM knowledge.counting
    UNION ALL SELECT 'synonyms', concept, true, as_of FROM knowledge.synonyms
    UNION ALL SELECT 'inference', concat_ws('|', document_type, "where", pattern), true, as_of FROM knowledge.inference
    UNION ALL SELECT 'provisions', provision, true, as_of FROM knowledge.provisions
    UNION ALL SELECT 'citation_forms', concat_ws('|', kind, abbreviation, name, first), false, as_of
    FROM knowledge.citation_forms
)
SELECT family, substantive, count(*) AS n_rows, count(DISTINCT entry) AS entries,
    min(nullif(as_of, '')) AS oldest_as_of, max(nullif(as_of, '')) AS newest_as_of
FROM held GROUP BY family, substantive
ORDER BY substantive DESC, entries DESC, family
