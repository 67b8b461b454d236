-- Coverage against score: pooled pass of the attempts by the share of the data room that the solver was shown, in quarters.
-- Correlation is over the attempts of the cell, from -1 to 1, and no proof of a cause: it is empty where nothing varies.
WITH shown AS (
    SELECT s.run_id, s.cell, s.judge_profile, s.passed, s.failed, s.pass_rate, w.served_share,
        least(CAST(floor(w.served_share * 4) AS INTEGER), 3) AS quarter,
        corr(s.pass_rate, w.served_share) OVER (PARTITION BY s.run_id, s.cell, s.judge_profile) AS correlation
    FROM scored_attempts s
    JOIN attempt_work w USING (attempt_id)
    WHERE w.served_share IS NOT NULL
)
SELECT run_id, cell, judge_profile, quarter / 4 AS from_share, (quarter + 1) / 4 AS to_share, count(*) AS attempts,
    CAST(sum(passed) AS BIGINT) AS passed, CAST(sum(failed) AS BIGINT) AS failed,
    sum(passed) / nullif(sum(passed) + sum(failed), 0) AS pooled_pass,
    CASE WHEN isfinite(any_value(correlation)) THEN any_value(correlation) END AS correlation
FROM shown
GROUP BY run_id, cell, judge_profile, quarter
ORDER BY run_id, cell, judge_profile, quarter
