SELECT 'all families' AS entry,
    (SELECT count(DISTINCT jurisdiction) FROM knowledge.authorities) AS jurisdictions,
    (SELECT count(*) FROM knowledge.windows) AS windows,
    (SELECT count(DISTINCT domain) FROM knowledge.windows) AS domains,
    (SELECT count(DISTINCT area) FROM knowledge.inference WHERE area <> 'any') AS areas,
    (SELECT count(*) FROM knowledge.calendars) AS calendars,
    (SELECT count(*) FROM knowledge.deliverables WHERE type_id = 'memorandum') AS fallback_sections,
    (SELECT count(*) FROM knowledge.inference WHERE area = 'any') AS fallback_cues,
    (SELECT count(*) FROM knowledge.authorities) + (SELECT count(*) FROM knowledge.windows)
        + (SELECT count(DISTINCT type_id) FROM knowledge.deliverables) + (SELECT count(*) FROM knowledge.calendars)
        + (SELECT count(*) FROM knowledge.counting) + (SELECT count(DISTINCT concept) FROM knowledge.synonyms) + (SELECT count(*) FROM knowledge.inference)
        + (SELECT count(*) FROM knowledge.provisions) AS substantive_entries
