"""The gate of numbers: every figure of a draft against the documents."""
