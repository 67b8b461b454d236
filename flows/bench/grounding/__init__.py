"""Benchmark of the gates: altered and paraphrased statements that must, or must not, be found."""
