"""Changes that a brief instructs word for word, made in the paper that it means."""
