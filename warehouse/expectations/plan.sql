SELECT part, run_id, epoch_us(started_utc) AS started, cell, matter_id, epoch, work_key FROM plan
