"""Judging: verdicts on ended attempts. The only stage that opens a sealed rubric."""
