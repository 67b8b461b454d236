WITH held AS (
    SELECT 'authorities' AS family, citation AS entry, provenance, as_of, concat_ws(' ', title, note) AS told
    FROM knowledge.authorities
    UNION ALL SELECT 'windows', window_id, provenance, as_of, concat_ws(' ', regime, "trigger", action, note)
    FROM knowledge.windows
    UNION ALL SELECT 'deliverables', type_id, provenance, as_of, concat_ws(' ', name, section)
    FROM knowledge.deliverables
    UNION ALL SELECT 'calendars', calendar_id, provenance, as_of, concat_ws(' ', name, rule) FROM knowledge.calendars
    UNION ALL SELECT 'counting', counting_id, provenance, as_of, concat_ws(' ', name, rule) FROM knowledge.counting
    UNION ALL SELECT 'synonyms', concept, provenance, as_of, concat_ws(' ', concept, alias) FROM knowledge.synonyms
    UNION ALL SELECT 'inference', document_type, provenance, as_of, pattern FROM knowledge.inference
    UNION ALL SELECT 'questions', concat_ws(': ', "use", nullif(name, '')), provenance, as_of, array_to_string(patterns, ' ')
    FROM knowledge.questions
    UNION ALL SELECT 'provisions', provision, provenance, as_of, array_to_string(aliases, ' ')
    FROM knowledge.provisions
    UNION ALL SELECT 'citation_forms', abbreviation, provenance, as_of, '' FROM knowledge.citation_forms
),
dated AS (
    SELECT *, CASE WHEN as_of = '' THEN NULL
        WHEN regexp_full_match(as_of, '\d{4}') THEN try_cast(as_of || '-01-01' AS DATE)
        WHEN regexp_full_match(as_of, '\d{4}-\d{2}-\d{2}') THEN try_cast(as_of AS DATE) END AS day
    FROM held
)
SELECT family || ': ' || entry AS entry, family, provenance, as_of,
    EXISTS (FROM knowledge.sources WHERE starts_with(provenance, source)) AS source_is_known,
    trim(entry) <> '' AS has_a_key,
    as_of = '' OR day IS NOT NULL AS as_of_is_a_date,
    day IS NULL OR day BETWEEN DATE '1900-01-01' AND current_date AS as_of_is_past,
    family NOT IN ('authorities', 'windows', 'calendars', 'counting') OR as_of <> '' AS law_has_a_date,
    -- a matter's fact shows itself by addresses, files and ids of tasks
    NOT regexp_matches(told, '[\w.+-]+@[\w-]+\.\w|\b[a-z-]+/[a-z0-9-]+-\d{3}\b|\bC-\d{3}([^/\d]|$)|\.(docx|xlsx|pdf|eml|msg)\b')
        AS holds_no_matter
FROM dated
