"""Benchmark of retrieval on LegalBench-RAG."""
