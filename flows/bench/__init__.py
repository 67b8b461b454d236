"""Benches that start Solon from outside, as its users do."""
