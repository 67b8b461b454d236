-- Figure 7: mean words of solver and tools in the trace a matter, by practice area and cell.
SELECT run_id, area, cell, matters, attempts, trace_words
FROM area_work
ORDER BY run_id, area, cell
