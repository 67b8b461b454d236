"""A learning loop with known truth, simulated often enough to measure what its acceptance policies do."""
