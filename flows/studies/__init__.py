"""Studies: questions asked of stored runs, without a model call."""
