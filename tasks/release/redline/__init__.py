"""Tracked changes in a Word document."""
