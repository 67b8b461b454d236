-- Judgements whose verdicts are not all here, and how many are lost; they count as unscored.
SELECT * FROM lost_verdicts ORDER BY run_id, cell, matter_id, attempt_id, judge_profile, judged_utc
