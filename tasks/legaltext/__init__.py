"""Scanners of legal text: figures, dates, windows, citations. One of each, used by every stage."""
