"""Windows of time that a text fixes ("within 30 days of receipt"): the scanner, its cues and fractions."""
