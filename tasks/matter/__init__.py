"""Matters: the public brief, data room and deliverables; rubrics go to the sealed store."""
