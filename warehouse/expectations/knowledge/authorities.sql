WITH readings AS (
    SELECT DISTINCT ON (entry) entry, form, canonical, agrees FROM evidence.citations WHERE family = 'authorities'
)
SELECT citation AS entry,
    trim(lower(regexp_replace(citation, '[\s.,§]+', ' ', 'g'))) AS folded,
    kind, jurisdiction, form, agrees,
    CASE WHEN form = 'read' THEN canonical END AS canonical_form,
    -- law of the United States in the usual forms: the scanner must read the whole of it
    CASE WHEN jurisdiction LIKE 'US%' AND kind IN ('statute', 'regulation', 'rule', 'case') THEN form END AS usual_form,
    CASE WHEN form = 'read' THEN agrees END AS read_agrees,
    trim(title) <> '' AS has_title,
    len(list_filter(keywords, lambda k: trim(k) = '')) = 0 AS keywords_say_something,
    len(keywords) = len(list_distinct(list_transform(keywords, lambda k: lower(trim(k))))) AS keywords_differ,
    len(keywords) > 0 OR trim(note) <> '' AS can_be_found
FROM knowledge.authorities LEFT JOIN readings ON citation = entry
