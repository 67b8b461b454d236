WITH items AS (
    SELECT attempt_id, judge_profile, judged_utc, count(*) AS n, count(*) FILTER (score IS NULL) AS open,
        100 * avg(score) AS mean
    FROM checklist_item
    GROUP BY ALL
)
SELECT
    s.part, s.attempt_id, s.judge_profile, epoch_us(s.judged_utc) AS judged,
    a.attempt_id IS NOT NULL AS attempt_landed,
    s.applicable = coalesce(i.n, 0) AND s.unscored = coalesce(i.open, 0) AS items_are_all_here,
    CASE WHEN i.mean IS NULL THEN s.s_checklist IS NULL ELSE coalesce(abs(s.s_checklist - i.mean) < 1e-6, false) END
        AS is_the_mean_of_its_items,
    -- a part without weight may be missing
    s.s_gavel IS NULL OR coalesce(abs(
        s.s_gavel
        - CASE WHEN s.alpha * (1 - s.residual_ratio) = 0 THEN 0
            ELSE s.alpha * (1 - s.residual_ratio) * s.s_checklist END
        - CASE WHEN s.alpha * s.residual_ratio = 0 THEN 0 ELSE s.alpha * s.residual_ratio * s.s_residual END
        - CASE WHEN s.alpha = 1 THEN 0 ELSE (1 - s.alpha) * s.s_style END) < 1e-6, false) AS follows_equation_2
FROM checklist_score s
LEFT JOIN attempt a USING (attempt_id)
LEFT JOIN items i USING (attempt_id, judge_profile, judged_utc)
