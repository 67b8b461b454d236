-- The rescue heatmap: pass rate of each matter under each version of the harness that a cell was run with, oldest first.
-- A matter is told where two versions at least scored it under the same judge; the gain is over the oldest of them.
WITH scored AS (
    SELECT min(a.run_id) AS run_id, a.cell, s.judge_profile, s.matter_id, a.harness_version, a.matter_digest,
        min(a.started_utc) AS began_utc, count(*) AS attempts, CAST(sum(s.passed) AS BIGINT) AS passed, CAST(sum(s.failed) AS BIGINT) AS failed,
        sum(s.passed) / nullif(sum(s.passed) + sum(s.failed), 0) AS pass_rate
    FROM scored_attempts s
    JOIN attempt a USING (attempt_id)
    WHERE a.harness_version <> ''
    GROUP BY a.cell, s.judge_profile, s.matter_id, a.harness_version, a.matter_digest
    HAVING sum(s.passed) + sum(s.failed) > 0
),
versions AS (
    SELECT cell, harness_version,
        row_number() OVER (PARTITION BY cell ORDER BY min(began_utc), harness_version) AS version
    FROM scored GROUP BY cell, harness_version
)
SELECT s.run_id, s.cell, s.judge_profile, s.matter_id, v.version, s.harness_version, s.attempts, s.passed, s.failed,
    s.pass_rate,
    s.pass_rate - first_value(s.pass_rate) OVER (
        PARTITION BY s.cell, s.judge_profile, s.matter_id, s.matter_digest ORDER BY v.version
    ) AS gain
FROM scored s
JOIN versions v USING (cell, harness_version)
QUALIFY count(*) OVER (PARTITION BY s.cell, s.judge_profile, s.matter_id, s.matter_digest) > 1
ORDER BY s.cell, s.judge_profile, s.matter_id, s.matter_digest, v.version
