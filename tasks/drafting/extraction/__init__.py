"""Filling a checklist from a long case with a model: by an agent, from the whole case, or chunk by chunk."""
