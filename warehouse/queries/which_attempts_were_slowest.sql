-- The twenty slowest attempts of each run.
SELECT run_id, cell, matter_id, epoch, outcome, seconds, turns, n_documents, cost_usd, attempt_id
FROM attempt
QUALIFY row_number() OVER (PARTITION BY run_id ORDER BY seconds DESC, attempt_id) <= 20
ORDER BY run_id, seconds DESC, attempt_id
