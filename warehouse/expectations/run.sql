SELECT part, run_id, epoch_us(started_utc) AS started, n_matters FROM run
