-- Mechanisms by cell, failed attempts left out: how often each acted, on how many files, pooled pass with and without.
WITH fired AS (
    SELECT a.run_id, a.cell, f.mechanism, f.attempt_id, count(*) AS fires, sum(f.n_files) AS files
    FROM mechanism_firing f JOIN counted_attempts a USING (attempt_id)
    WHERE a.outcome <> 'failed'
    GROUP BY a.run_id, a.cell, f.mechanism, f.attempt_id
),
acted AS (
    SELECT run_id, cell, mechanism, count(*) AS attempts, CAST(sum(fires) AS BIGINT) AS fires,
        CAST(sum(files) AS BIGINT) AS files
    FROM fired GROUP BY run_id, cell, mechanism
),
scored AS (
    SELECT w.run_id, w.cell, w.mechanism, s.judge_profile,
        sum(s.passed) FILTER (f.attempt_id IS NOT NULL)
            / nullif(sum(s.passed + s.failed) FILTER (f.attempt_id IS NOT NULL), 0) AS pooled_pass_with,
        sum(s.passed) FILTER (f.attempt_id IS NULL)
            / nullif(sum(s.passed + s.failed) FILTER (f.attempt_id IS NULL), 0) AS pooled_pass_without,
        count(*) FILTER (f.attempt_id IS NULL) AS attempts_without
    FROM acted w
    JOIN scored_attempts s USING (run_id, cell)
    JOIN counted_attempts o ON o.attempt_id = s.attempt_id AND o.outcome <> 'failed'
    LEFT JOIN fired f
        ON f.run_id = w.run_id AND f.cell = w.cell AND f.mechanism = w.mechanism AND f.attempt_id = s.attempt_id
    GROUP BY w.run_id, w.cell, w.mechanism, s.judge_profile
)
SELECT w.run_id, w.cell, w.mechanism, w.fires, w.files, w.attempts, coalesce(s.judge_profile, '') AS judge_profile,
    coalesce(s.attempts_without, 0) AS attempts_without, s.pooled_pass_with, s.pooled_pass_without
FROM acted w
LEFT JOIN scored s USING (run_id, cell, mechanism)
ORDER BY w.run_id, w.cell, w.mechanism, judge_profile
