"""Sources: documents to canonical text, and the inventory of a matter."""
