-- Figure 4: error rate of each practice area under each cell, hardest area first by the mean over the cells.
SELECT run_id, judge_profile, name AS area, cell, matters, failed, passed + failed AS criteria,
    1 - pooled_pass AS error_rate,
    1 - avg(pooled_pass) OVER (PARTITION BY run_id, judge_profile, name) AS mean_error_rate
FROM pass_rates
WHERE unit = 'area'
ORDER BY run_id, judge_profile, mean_error_rate DESC NULLS LAST, area, cell
