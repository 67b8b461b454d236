"""The figures of the source itself: how large its files are, what they hold, and which room imports which."""
