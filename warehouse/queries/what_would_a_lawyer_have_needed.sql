-- Table 7: each practice area beside a lawyer's 3, 10 or 20 hours at $349; a lawyer's accuracy is the release standard, no measurement.
-- The time is what was measured; the cost is a matter's, with cached reads free. An area that the paper does not list has
-- no hours. The last row is the mean over the areas that have them.
WITH told AS (
    SELECT w.run_id, w.cell, r.judge_profile, w.area, p.practice_area, w.matters, r.pooled_pass, r.all_pass,
        p.human_hours, p.human_usd, w.seconds, w.cost_usd, w.cost_cached_free_usd
    FROM area_work w
    LEFT JOIN pass_rates r ON r.run_id = w.run_id AND r.cell = w.cell AND r.unit = 'area' AND r.name = w.area
    LEFT JOIN practice_areas p
        ON p.area_key = replace(regexp_replace(lower(w.area), '[^a-z]+', '', 'g'), 'and', '')
),
with_mean AS (
    SELECT 0 AS position, * FROM told
    UNION ALL
    SELECT 1, run_id, cell, judge_profile, 'mean of areas', 'mean of areas', CAST(sum(matters) AS BIGINT),
        avg(pooled_pass), avg(all_pass), avg(human_hours), avg(human_usd), avg(seconds), avg(cost_usd),
        CASE WHEN count(cost_cached_free_usd) = count(*) THEN avg(cost_cached_free_usd) END
    FROM told WHERE human_hours IS NOT NULL
    GROUP BY run_id, cell, judge_profile
)
SELECT run_id, cell, coalesce(judge_profile, '') AS judge_profile, area, practice_area, matters,
    CASE WHEN human_hours IS NOT NULL THEN 1.0 END AS human_standard, pooled_pass, all_pass, human_hours,
    human_usd, seconds, cost_usd, cost_cached_free_usd,
    human_hours * 3600 / nullif(seconds, 0) AS times_faster,
    human_usd / nullif(cost_cached_free_usd, 0) AS times_cheaper
FROM with_mean
ORDER BY run_id, cell, judge_profile, position, pooled_pass DESC NULLS LAST, area
