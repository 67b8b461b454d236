SELECT
    i.part, i.attempt_id, i.judge_profile, epoch_us(i.judged_utc) AS judged, i.item_id, i.manner, i.status,
    a.attempt_id IS NOT NULL AS attempt_landed,
    (i.status = 'unscored') = (i.score IS NULL) AS score_goes_with_status,
    i.matched <= least(i.reference_values, i.candidate_values) AS no_value_matches_twice,
    greatest(i.reference_values, i.candidate_values) > 0 OR i.status = 'unscored' AS applies,
    i.score IS NULL OR i.manner = 'single'
        OR abs(i.score - 2 * i.matched / (i.reference_values + i.candidate_values)) < 1e-9 AS follows_equation_1
FROM checklist_item i
LEFT JOIN attempt a USING (attempt_id)
