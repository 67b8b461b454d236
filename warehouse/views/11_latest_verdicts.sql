-- The latest judgement of each attempt by each judge profile. Older ones stay in the table verdict.
CREATE OR REPLACE VIEW latest_verdicts AS
SELECT *
FROM verdict
QUALIFY judged_utc = max(judged_utc) OVER (PARTITION BY attempt_id, judge_profile);
