"""Regrowing a harness: the empty harness, the edits that lead from it to the shipped one, and planted edits."""
