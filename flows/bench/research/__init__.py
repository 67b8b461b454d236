"""Benchmark of the researcher: is the right place among the spans of its answer?"""
