"""Requests in natural words with the asks a lawyer lists in them, the right answers, and what must not be said."""
