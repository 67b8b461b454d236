-- Figure 5: mean actions a matter by practice area and cell, and how many of them called a tool.
SELECT run_id, area, cell, matters, attempts, actions, tools
FROM area_work
ORDER BY run_id, area, cell
