"""Judging by models: batches of criteria, ladders, panels, and the votes that a verdict is made from."""
