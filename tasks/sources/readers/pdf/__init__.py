"""The reader of PDF documents."""
