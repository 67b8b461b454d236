-- Failures of tasks, stages and documents, with what to do about them.
SELECT run_id, attempt_id, stage, subject, cause, message, remedy
FROM failure ORDER BY run_id, cause, stage, subject, message
