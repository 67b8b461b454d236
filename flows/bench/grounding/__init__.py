"""Benchmark of the gates: altered statements must be flagged, paraphrased ones must not."""
