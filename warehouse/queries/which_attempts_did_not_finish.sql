-- Attempts that failed, ran out of time or out of budget, with the cause; retried ones too.
SELECT run_id, cell, matter_id, epoch, outcome, failure_cause, failure_message, seconds, cost_usd, attempt_id
FROM attempt WHERE outcome <> 'finished'
ORDER BY run_id, cell, matter_id, epoch, ended_utc
