-- Figure 6: mean words of the deliverables a matter, by practice area and cell.
SELECT run_id, area, cell, matters, attempts, words
FROM area_work
ORDER BY run_id, area, cell
