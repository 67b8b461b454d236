WITH tried AS (
    SELECT entry, max(problem) AS problem FROM evidence.patterns WHERE family = 'questions' GROUP BY entry
),
cues AS (
    SELECT "use", name, unnest(patterns) AS pattern FROM knowledge.questions
    UNION ALL SELECT "use", name, says FROM knowledge.questions WHERE says <> ''
)
SELECT concat_ws(': ', "use", name, pattern) AS entry, coalesce(tried.problem, '') AS problem,
    count(*) OVER (PARTITION BY "use", name, pattern) AS times
FROM cues LEFT JOIN tried ON tried.entry = concat_ws(': ', "use", name, pattern)
