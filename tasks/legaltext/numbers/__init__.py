"""Figures as they are written: tokens, numerals, number words, units, scale, columns and links."""
