"""The graph of a matter: documents, clauses, references and defined terms."""
