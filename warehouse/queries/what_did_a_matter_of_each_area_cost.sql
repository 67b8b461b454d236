-- Figure 8: mean US dollars of the solver a matter, as billed and with cached reads free, by practice area and cell.
SELECT run_id, area, cell, matters, attempts, cost_usd, cost_cached_free_usd
FROM area_work
ORDER BY run_id, area, cell
