-- Table 6: mean actions a matter by bucket, over the attempts that did not fail; counts compare within one family of runtimes.
SELECT run_id, cell, count(DISTINCT matter_id) AS matters, count(*) AS attempts,
    avg(reads) AS reads, avg(tools) AS tools, avg(writes) AS writes, avg(others) AS others, avg(actions) AS actions
FROM attempt_work
GROUP BY run_id, cell
ORDER BY run_id, cell
