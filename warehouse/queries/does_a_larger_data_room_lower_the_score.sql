-- Figure 11, A: pooled pass by the characters of the data room, in steps of a doubling; attempts that were not measured are left out.
WITH sized AS (
    SELECT s.run_id, s.cell, s.judge_profile, s.matter_id, s.passed, s.failed, s.pass_rate, s.all_pass, w.characters,
        CAST(floor(log2(w.characters)) AS INTEGER) AS doubling
    FROM scored_attempts s
    JOIN attempt_work w USING (attempt_id)
    WHERE w.characters > 0
)
SELECT run_id, cell, judge_profile, CAST(pow(2, doubling) AS BIGINT) AS from_characters,
    CAST(pow(2, doubling + 1) AS BIGINT) AS below_characters, count(DISTINCT matter_id) AS matters,
    count(*) AS attempts, CAST(sum(passed) AS BIGINT) AS passed, CAST(sum(failed) AS BIGINT) AS failed,
    sum(passed) / nullif(sum(passed) + sum(failed), 0) AS pooled_pass,
    CASE WHEN sum(passed) + sum(failed) > 0 THEN avg(CAST(all_pass AS INTEGER)) END AS all_pass
FROM sized
GROUP BY run_id, cell, judge_profile, doubling
ORDER BY run_id, cell, judge_profile, doubling
