-- GAVEL-Ref by item: how often each item of the checklist is equal, broader, narrower, different, left out or added, and its mean score.
-- Left out: the reference has a value and the work product none; added: the other way round. Recall and precision are of
-- the values matched, over all work products of the cell.
SELECT s.run_id, s.cell, s.judge_profile, s.checklist, s.checklist_version, min(i.position) AS position,
    i.item_group, i.item_id, count(*) AS applicable,
    count(*) FILTER (i.status = 'unscored') AS unscored,
    avg(i.score) AS score,
    count(*) FILTER (i.relation = 'equal') AS equal,
    count(*) FILTER (i.relation = 'contains') AS contains,
    count(*) FILTER (i.relation = 'contained') AS contained,
    count(*) FILTER (i.relation = 'different' AND i.reference_values > 0 AND i.candidate_values > 0) AS different,
    count(*) FILTER (i.reference_values > 0 AND i.candidate_values = 0) AS left_out,
    count(*) FILTER (i.reference_values = 0 AND i.candidate_values > 0) AS added,
    sum(i.matched) FILTER (i.status <> 'unscored')
        / nullif(sum(i.reference_values) FILTER (i.status <> 'unscored'), 0) AS recall,
    sum(i.matched) FILTER (i.status <> 'unscored')
        / nullif(sum(i.candidate_values) FILTER (i.status <> 'unscored'), 0) AS "precision"
FROM latest_checklists s
JOIN checklist_item i USING (attempt_id, judge_profile, judged_utc)
GROUP BY s.run_id, s.cell, s.judge_profile, s.checklist, s.checklist_version, i.item_group, i.item_id
ORDER BY s.run_id, s.cell, s.judge_profile, s.checklist, s.checklist_version, position, i.item_id
