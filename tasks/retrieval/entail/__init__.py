"""Whether a document says what a statement says, learned from answered documents, with the sentences that show it."""
