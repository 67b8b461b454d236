"""Sums worked out of what papers say: their quantities, the rules by which they reckon, and a planner that chains both."""
