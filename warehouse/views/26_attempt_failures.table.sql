-- The failures of each judged attempt as the learner may see them: counts by words of our own closed vocabularies. A value
-- outside its vocabulary is told as other or as nothing.
CREATE OR REPLACE TABLE attempt_failures AS
WITH failed AS (
    SELECT
        attempt_id, judge_profile,
        CASE WHEN match_kind IN ('date', 'value', 'span', 'absence') THEN match_kind ELSE '' END AS match_kind,
        CASE WHEN error_class IN (
            'numbers_dates', 'source_grounding', 'remedial_action', 'materiality_impact', 'cross_doc_synthesis',
            'deliverable_format', 'legal_rule_use', 'coverage', 'missing_facts'
        ) THEN error_class ELSE 'other' END AS error_class,
        CASE WHEN outcome IN (
            'matched', 'omitted', 'document_omitted', 'partial', 'wrong_value', 'wrong_document', 'denied', 'asserted',
            'not_denied'
        ) THEN outcome ELSE '' END AS outcome,
        count(*) AS n
    FROM scored_criteria
    WHERE status = 'fail'
    GROUP BY ALL
)
SELECT attempt_id, judge_profile, list_sort(list(struct_pack(match_kind, error_class, outcome, n))) AS failures
FROM failed
GROUP BY attempt_id, judge_profile;
