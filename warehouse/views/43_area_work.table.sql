-- What a matter took by cell and practice area, on average over the attempts that did not fail. A mean cost is told where
-- the cost of every attempt is known.
CREATE OR REPLACE TABLE area_work AS
SELECT
    run_id, cell, area,
    count(DISTINCT matter_id) AS matters, count(*) AS attempts,
    avg(reads) AS reads, avg(tools) AS tools, avg(writes) AS writes, avg(others) AS others, avg(actions) AS actions,
    avg(words) AS words, avg(trace_words) AS trace_words, avg(seconds) AS seconds,
    CASE WHEN count(cost_usd) = count(*) THEN avg(cost_usd) END AS cost_usd,
    CASE WHEN count(cost_cached_free_usd) = count(*) THEN avg(cost_cached_free_usd) END AS cost_cached_free_usd
FROM attempt_work
GROUP BY run_id, cell, area;
