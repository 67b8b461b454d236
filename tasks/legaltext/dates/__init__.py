"""Dates as they are written: numeric, in words, with blanks, in other languages, joined, and periods."""
