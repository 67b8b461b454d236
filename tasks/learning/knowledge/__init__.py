"""Edits of the knowledge base: rules that propose them, their evidence, gates and suites."""
