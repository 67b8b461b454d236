"""What judging costs: input tokens of one call per criterion, with a cached prefix, and in batches."""
