"""Benchmarks of the tools: speed, growth with the input, comparison with other libraries."""
