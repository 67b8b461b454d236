"""Checklists filled from the papers of a matter."""
