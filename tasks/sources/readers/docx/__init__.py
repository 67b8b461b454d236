"""The reader of Word documents."""
