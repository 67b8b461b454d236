"""The gate of patterns: no edit may bring a regular expression that can hang."""
