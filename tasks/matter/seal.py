"""Splits a corpus at the door: public matters out, rubrics into the sealed store."""
