-- Transfer: each harness of a study against its first, cell by cell on the same matters, with the surfaces in which the two differ.
-- The runs of a study are numbered (NAME-1, NAME-2 ...), one for each harness. The interval draws whole matters; with fewer
-- than ten of them it is not to be believed.
WITH numbered AS (
    SELECT s.run_id, regexp_replace(s.run_id, '-[0-9]{1,3}$', '') AS study,
        CAST(regexp_extract(s.run_id, '-([0-9]{1,3})$', 1) AS INTEGER) AS number,
        s.cell, s.judge_profile, s.matter_id, sum(s.passed) / nullif(sum(s.passed) + sum(s.failed), 0) AS pass_rate,
        sum(s.passed) AS passed, sum(s.passed) + sum(s.failed) AS scored, any_value(a.harness_version) AS harness_version
    FROM scored_attempts s
    JOIN attempt a USING (attempt_id)
    WHERE regexp_matches(s.run_id, '-[0-9]{1,3}$')
    GROUP BY s.run_id, s.cell, s.judge_profile, s.matter_id
    HAVING sum(s.passed) + sum(s.failed) > 0
),
firsts AS (
    SELECT * FROM numbered QUALIFY number = min(number) OVER (PARTITION BY study)
),
changed AS (
    SELECT b.harness_version AS before, h.harness_version AS after, string_agg(h.surface, ' ' ORDER BY h.surface) AS surfaces
    FROM harness h JOIN harness b ON b.surface = h.surface AND b.digest <> h.digest
    GROUP BY b.harness_version, h.harness_version
)
SELECT n.run_id, n.study, n.cell, n.judge_profile, f.harness_version AS harness_before, n.harness_version AS harness_after,
    coalesce(any_value(c.surfaces), '') AS surfaces, count(*) AS matters,
    sum(f.passed) / sum(f.scored) AS before, sum(n.passed) / sum(n.scored) AS after,
    sum(n.passed) / sum(n.scored) - sum(f.passed) / sum(f.scored) AS gain,
    ratio_interval(
        list(n.pass_rate - f.pass_rate ORDER BY n.matter_id), list(1.0::DOUBLE ORDER BY n.matter_id)
    ) AS matter_interval,
    count(*) FILTER (n.pass_rate > f.pass_rate) AS better,
    count(*) FILTER (n.pass_rate < f.pass_rate) AS worse
FROM numbered n
JOIN firsts f ON f.study = n.study AND f.cell = n.cell AND f.judge_profile = n.judge_profile
    AND f.matter_id = n.matter_id AND f.run_id <> n.run_id
LEFT JOIN changed c ON c.before = f.harness_version AND c.after = n.harness_version
GROUP BY n.run_id, n.study, n.cell, n.judge_profile, f.harness_version, n.harness_version
ORDER BY n.study, n.cell, n.judge_profile, n.run_id
