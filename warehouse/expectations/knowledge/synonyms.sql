SELECT concat_ws(' = ', concept, alias) AS entry, lower(concept) AS concept_folded, position,
    lower(regexp_replace(alias, '[\s-]+', ' ', 'g')) AS alias_folded,
    trim(concept) <> '' AND trim(alias) <> '' AS says_something,
    lower(trim(alias)) <> lower(trim(concept)) AS alias_differs,
    len(alias) <= 80 AND len(concept) <= 80 AS is_a_term,
    count(*) OVER (PARTITION BY lower(regexp_replace(alias, '[\s-]+', ' ', 'g'))) <= 3 AS means_few_concepts
FROM knowledge.synonyms
