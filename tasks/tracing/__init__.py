"""Tracing: runtime traces to one normal form, action buckets, tokens and cost."""
