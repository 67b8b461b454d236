-- What the learner may see of each judged attempt that counts: opaque keys, ranges, counts, and words of our own closed
-- vocabularies. No text that a person, a model or a rubric wrote passes: a value outside its vocabulary is told as
-- other or as nothing, and what must be found again is told by a hash. Of a text the key is the first 16 hex digits of
-- its SHA-256; of a matter, of its digest in quotes (as content_hash has it).
CREATE OR REPLACE MACRO key_of(said) AS left(sha256(said), 16);
CREATE OR REPLACE MACRO range_of(n) AS
    CASE WHEN n = 0 THEN 'none' WHEN n <= 3 THEN '1-3' WHEN n <= 10 THEN '4-10' WHEN n <= 30 THEN '11-30'
        WHEN n <= 100 THEN '31-100' ELSE 'over 100' END;
CREATE OR REPLACE MACRO formats_of(said) AS
    list_sort(list_distinct([
        CASE WHEN f IN (
            'docx', 'docm', 'pdf', 'txt', 'text', 'log', 'jsonl', 'md', 'markdown', 'xlsx', 'xlsm', 'xls', 'pptx',
            'eml', 'msg', 'doc', 'odt', 'rtf', 'csv', 'tsv', 'html', 'htm', 'xhtml', 'json'
        ) THEN f ELSE 'other' END
        FOR f IN string_split(said, ' ') IF f <> ''
    ]));
CREATE OR REPLACE TABLE learner_signals AS
WITH used AS (
    SELECT attempt_id,
        coalesce(sum(actions) FILTER (bucket = 'read'), 0) AS reads,
        coalesce(sum(actions) FILTER (bucket = 'tool'), 0) AS tools,
        coalesce(sum(actions) FILTER (bucket = 'write'), 0) AS writes,
        coalesce(sum(actions) FILTER (bucket NOT IN ('read', 'tool', 'write')), 0) AS others
    FROM attempt_actions
    GROUP BY attempt_id
)
SELECT
    key_of(s.run_id) AS run_key,
    key_of(s.cell) AS cell_key,
    key_of(a.harness_version) AS harness_key,
    key_of(s.judge_profile) AS judge_key,
    key_of(s.profile_version) AS judge_version_key,
    key_of('"' || a.matter_digest || '"') AS matter_key,
    s.epoch,
    CASE WHEN a.work_type IN ('analyze', 'draft', 'review', 'research', '') THEN a.work_type ELSE 'other' END
        AS work_type,
    range_of(a.n_documents) AS documents,
    formats_of(coalesce(m.document_formats, '')) AS document_formats,
    formats_of(coalesce(m.deliverable_formats, '')) AS deliverable_formats,
    CASE WHEN regexp_full_match(a.skill_id, '([a-z0-9]+([-_/][a-z0-9]+)*)?') THEN a.skill_id ELSE 'other' END
        AS skill_id,
    CASE WHEN a.outcome IN ('finished', 'circled', 'failed', 'timeout', 'budget') THEN a.outcome ELSE 'failed' END AS ended,
    range_of(coalesce(used.reads, 0)) AS reads,
    range_of(coalesce(used.tools, 0)) AS tools,
    range_of(coalesce(used.writes, 0)) AS writes,
    range_of(coalesce(used.others, 0)) AS others,
    a.input_uncached + a.cache_read + a.cache_write + a.output AS tokens,
    s.passed, s.failed, s.unscored,
    coalesce(failures.failures, []) AS failures
FROM scored_attempts s
JOIN attempt a USING (attempt_id)
LEFT JOIN matter m ON m.matter_digest = a.matter_digest
LEFT JOIN attempt_failures failures ON failures.attempt_id = s.attempt_id AND failures.judge_profile = s.judge_profile
LEFT JOIN used ON used.attempt_id = s.attempt_id;
