-- What the knowledge holds for each practice area: cues to document types, and deliverables particular to it.
WITH held AS (
    SELECT area, 'cue' AS family, document_type AS entry FROM knowledge.inference
    UNION ALL
    SELECT unnest(CASE WHEN len(areas) = 0 THEN ['any'] ELSE areas END), 'deliverable', type_id
    FROM knowledge.deliverables
)
SELECT area, count(*) FILTER (family = 'cue') AS cues,
    count(DISTINCT entry) FILTER (family = 'cue') AS document_types,
    count(DISTINCT entry) FILTER (family = 'deliverable') AS deliverables
FROM held GROUP BY area
ORDER BY area
