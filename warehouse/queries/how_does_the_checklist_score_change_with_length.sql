-- GAVEL-Ref by the length of the data room: its nearest bin in thousands of tokens (32, 64, 128 ..., at 3.6 characters a token), with the mean scores there.
WITH sized AS (
    SELECT c.*, 32 * pow(2, round(log2(w.characters / 3.6 / 32000))) AS thousand_tokens
    FROM latest_checklists c
    JOIN attempt_work w USING (attempt_id)
    WHERE w.characters > 0
)
SELECT run_id, cell, judge_profile, checklist, checklist_version, thousand_tokens, count(DISTINCT matter_id) AS matters,
    count(*) AS attempts, CAST(sum(applicable) AS BIGINT) AS applicable, CAST(sum(unscored) AS BIGINT) AS unscored,
    avg(s_checklist) AS s_checklist, avg(s_residual) AS s_residual, avg(s_style) AS s_style, avg(s_gavel) AS s_gavel
FROM sized
GROUP BY run_id, cell, judge_profile, checklist, checklist_version, thousand_tokens
ORDER BY run_id, cell, judge_profile, checklist, checklist_version, thousand_tokens
