-- Pooled pass with its 95 % interval by matter, all-pass, what is unscored, blocked or unjudged, words, time and cost of each cell.
-- The interval draws whole matters, whose criteria fall together, and is never narrower than Wilson's of as many criteria;
-- with fewer than ten matters it is still too narrow. Where attempts are fewer than planned, the run goes on or was stopped.
WITH drawn AS (
    SELECT run_id, cell, judge_profile,
        share_interval(
            list(CAST(passed AS DOUBLE) ORDER BY matter_id), list(CAST(passed + failed AS DOUBLE) ORDER BY matter_id)
        ) AS interval_by_matter
    FROM scored_matters
    GROUP BY run_id, cell, judge_profile
)
SELECT c.*, d.interval_by_matter[1] AS pass_low, d.interval_by_matter[2] AS pass_high
FROM cells c
LEFT JOIN drawn d USING (run_id, cell, judge_profile)
ORDER BY c.run_id, c.judge_profile, c.pooled_pass DESC NULLS LAST, c.cell
