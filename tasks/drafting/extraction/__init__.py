"""Filling a checklist from a long case: by an agent, from the whole, chunk by chunk, or by scanners alone."""
