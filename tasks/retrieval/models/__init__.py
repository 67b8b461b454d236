"""Embedders and rerankers by profile: embedded weights, sentence-transformers, and endpoints through litellm."""
