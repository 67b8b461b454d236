-- How each cell did, under each judge profile that judged it. A cell that nobody judged has an empty profile.
-- Rates over several epochs keep the matter as the unit. Cost is the solver's, all tries included, as billed and with
-- cached reads free; both are empty where no call has a known price, the second where the rate of some cached read is
-- not known. The version of a judge is that of its latest judgements; where there are several, their scores are not one.
-- Planned is what the latest start of the run planned for the cell, empty where a run has no plan: where attempts are
-- fewer, the run goes on or was stopped, and the scores are those of a part.
CREATE OR REPLACE TABLE cells AS
WITH planned AS (
    SELECT run_id, cell, count(*) AS planned
    FROM (SELECT run_id, cell FROM plan QUALIFY started_utc = max(started_utc) OVER (PARTITION BY run_id))
    GROUP BY run_id, cell
),
solved AS (
    SELECT
        run_id, cell,
        count(DISTINCT matter_id) AS matters,
        count(*) AS attempts,
        CAST(sum(n_tries - 1) AS BIGINT) AS retries,
        count(*) FILTER (outcome <> 'finished') AS unfinished,
        count(*) FILTER (release_status = 'blocked') AS blocked,
        count(*) FILTER (release_status = 'released_with_flags') AS released_with_flags,
        count(*) FILTER (release_status = 'released_with_open_asks') AS released_with_open_asks,
        count(*) FILTER (release_status = 'not_answered') AS not_answered,
        count(*) FILTER (release_status = 'released') AS released,
        avg(words) FILTER (outcome <> 'failed') AS words,
        median(nullif(seconds, 0)) FILTER (outcome <> 'failed') AS seconds_median,
        count(DISTINCT cell_digest || harness_version) AS configurations
    FROM counted_attempts
    GROUP BY run_id, cell
),
spent AS (
    SELECT run_id, cell, sum(seconds) AS seconds,
        CASE WHEN bool_or(cost_source <> 'none' OR calls = 0) THEN sum(cost_usd) END AS cost_usd,
        CASE WHEN count(*) = count(cached_free) AND bool_or(cost_source <> 'none' OR calls = 0) THEN sum(cached_free)
        END AS cost_cached_free_usd,
        CAST(sum(input_uncached + cache_read + cache_write + output) AS BIGINT) AS tokens
    FROM (
        SELECT a.*,
            CASE WHEN cache_read = 0 OR cost_usd = 0 THEN cost_usd ELSE cost_usd - cached_reads_usd END AS cached_free
        FROM planned_attempts a
        LEFT JOIN trajectory_measure m USING (attempt_id)
    )
    GROUP BY run_id, cell
),
judged AS (
    SELECT run_id, cell, judge_profile, count(*) AS judged_attempts FROM scored_attempts GROUP BY ALL
),
versions AS (
    SELECT run_id, cell, judge_profile,
        string_agg(DISTINCT coalesce(nullif(profile_version, ''), 'unknown'), ' ' ORDER BY
            coalesce(nullif(profile_version, ''), 'unknown')) AS judge_version
    FROM scored_attempts
    GROUP BY run_id, cell, judge_profile
)
SELECT
    s.run_id, s.cell, coalesce(j.judge_profile, '') AS judge_profile,
    s.matters, n.planned, s.attempts, s.retries, s.unfinished,
    s.attempts - coalesce(j.judged_attempts, 0) AS unjudged,
    coalesce(r.criteria, 0) AS criteria,
    coalesce(r.passed, 0) AS passed,
    coalesce(r.failed, 0) AS failed,
    coalesce(r.unscored, 0) AS unscored,
    r.pooled_pass, r.all_pass,
    coalesce(r.matters_with_unscored, 0) AS matters_with_unscored,
    s.released, s.released_with_open_asks, s.released_with_flags, s.not_answered, s.blocked,
    s.words, t.seconds, s.seconds_median, t.tokens, t.cost_usd, t.cost_cached_free_usd,
    coalesce(p.cost_usd, 0) AS judge_cost_usd,
    s.configurations, coalesce(v.judge_version, '') AS judge_version
FROM solved s
JOIN spent t USING (run_id, cell)
LEFT JOIN planned n USING (run_id, cell)
LEFT JOIN judged j USING (run_id, cell)
LEFT JOIN versions v ON v.run_id = j.run_id AND v.cell = j.cell AND v.judge_profile = j.judge_profile
LEFT JOIN pass_rates r
    ON r.run_id = s.run_id AND r.cell = s.cell AND r.judge_profile = j.judge_profile AND r.unit = 'cell'
LEFT JOIN spending p
    ON p.run_id = s.run_id AND p.cell = s.cell AND p.profile = j.judge_profile AND p.role = 'judge';
