"""Models of search: embedders and rerankers, local and hosted."""
