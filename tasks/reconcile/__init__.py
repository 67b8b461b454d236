"""Reconcile: figures, dates, citations, coverage and form of a draft against the sources."""
