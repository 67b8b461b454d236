-- Flags of the gates that lie on words which a pass or fail of the same attempt quotes, each beside that verdict. Fewer than
-- twelve characters say nothing, and a note is no flag.
CREATE OR REPLACE TABLE flags_judged AS
WITH flags AS (
    SELECT attempt_id, position, gate, plain_words(coalesce(nullif(sentence, ''), text)) AS words
    FROM finding
    WHERE severity <> 'note'
),
quoted AS (
    SELECT s.judge_profile, attempt_id, s.criterion_id, s.status, plain_words(v.quote) AS words
    FROM scored_criteria s
    JOIN verdict v USING (attempt_id, judge_profile, judged_utc, criterion_id)
    WHERE s.quoted AND attempt_id IN (SELECT attempt_id FROM flags)
)
SELECT v.judge_profile, attempt_id, f.position, f.gate, v.criterion_id, v.status
FROM flags f
JOIN quoted v USING (attempt_id)
WHERE length(v.words) >= 12 AND length(f.words) >= 12
    AND (contains(f.words, v.words) OR contains(v.words, f.words));
