"""Deadlines: the rule that governs, the calendar, the count."""
