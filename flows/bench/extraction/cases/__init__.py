"""Long cases of our own, made from a seed, each with the checklist that is true of it."""
