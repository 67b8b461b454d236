-- The climb of a learning run matter by matter: the pass rate of each under the harness that it began with, and under each that was tried.
-- Place 0 is the first harness; then come those that were run, in the order of the ledger. The frontier is the pass rate under
-- the one in force: it falls where an edit that was accepted costs a matter something.
WITH ordered AS (
    SELECT *, row_number() OVER (
        PARTITION BY learn_id ORDER BY step, coalesce(TRY_CAST(edit_id AS BIGINT), 0), edit_id
    ) AS position
    FROM edit
    WHERE decision <> 'rejected'
),
tried AS (
    SELECT learn_id, harness_before AS version, 0 AS position, true AS accepted, -1 AS step FROM ordered WHERE position = 1
    UNION ALL
    SELECT learn_id, harness_after, min(position), bool_or(decision = 'accepted'), min(step)
    FROM ordered GROUP BY learn_id, harness_after
),
placed AS (
    SELECT *, row_number() OVER (PARTITION BY learn_id ORDER BY position) - 1 AS place FROM tried
),
scored AS (
    SELECT p.learn_id, s.cell, s.judge_profile, s.matter_id, p.place, p.step, p.accepted,
        count(*) AS attempts, sum(s.passed) / nullif(sum(s.passed) + sum(s.failed), 0) AS pass_rate
    FROM placed p
    JOIN attempt a ON a.harness_version = p.version AND starts_with(a.run_id, p.learn_id || '-')
    JOIN scored_attempts s USING (attempt_id)
    GROUP BY p.learn_id, s.cell, s.judge_profile, s.matter_id, p.place, p.step, p.accepted
    HAVING sum(s.passed) + sum(s.failed) > 0
)
SELECT learn_id, cell, judge_profile, matter_id, place, step, accepted, attempts, pass_rate,
    last_value(CASE WHEN accepted THEN pass_rate END IGNORE NULLS) OVER (
        PARTITION BY learn_id, cell, judge_profile, matter_id ORDER BY place
        RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS frontier
FROM scored
ORDER BY learn_id, cell, judge_profile, matter_id, place
