WITH tried AS (
    SELECT split_part(entry, ': ', 1) AS provision, max(problem) AS problem FROM evidence.patterns
    WHERE family = 'provisions' GROUP BY ALL
),
names AS (
    SELECT provision, lower(provision) AS name FROM knowledge.provisions
    UNION ALL SELECT DISTINCT provision, lower(unnest(aliases)) FROM knowledge.provisions
)
SELECT DISTINCT p.provision AS entry, names.name, coalesce(tried.problem, '') AS problem,
    answer <> 'clause' OR len(strong) > 0 AS has_cues, trim(names.name) <> '' AS name_says_something, coalesce(said.knows_itself, TRUE) AS knows_itself,
    coalesce(said.common, 0.0) AS common
FROM knowledge.provisions AS p JOIN names USING (provision) LEFT JOIN tried USING (provision)
LEFT JOIN evidence.provisions AS said ON said.entry = p.provision
