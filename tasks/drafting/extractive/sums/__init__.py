"""Sums worked out of papers: their quantities, the rules by which they reckon, and a planner that chains both."""
