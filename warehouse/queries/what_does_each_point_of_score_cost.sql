-- Cost against score of each cell: tokens and dollars an attempt, pooled pass, all-pass, the blended score, and whether another of its run is better and cheaper.
WITH scores AS MATERIALIZED (SELECT * FROM harness_scores)
SELECT h.run_id, h.cell, h.judge_profile, h.harness_version, h.matters, h.attempts, h.tokens, h.cost_usd,
    h.cost_cached_free_usd, h.seconds, h.pooled_pass, h.all_pass, h.blended,
    h.pooled_pass IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM scores o
        WHERE o.run_id = h.run_id AND o.judge_profile = h.judge_profile
            AND o.tokens <= h.tokens AND o.pooled_pass >= h.pooled_pass
            AND (o.tokens < h.tokens OR o.pooled_pass > h.pooled_pass)
    ) AS on_the_front
FROM scores h
ORDER BY h.run_id, h.judge_profile, h.tokens, h.cell, h.harness_version
