"""Bench of the error taxonomy: the matcher beside two lawyers who labelled the same criteria without sight of it."""
