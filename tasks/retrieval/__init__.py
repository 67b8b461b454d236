"""Retrieval: clause tree, chunks, index and search over a matter and the knowledge base."""
