"""What a run keeps on disk: plan, attempts, orders, cells, rows, progress and summaries."""
