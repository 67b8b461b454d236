"""A harness taken apart and grown again: the empty one, the catalogue of what parts them, and planted edits."""
