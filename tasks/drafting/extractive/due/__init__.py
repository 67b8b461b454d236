"""Days on which something is due: the period that an ask is about, what starts it, and how it is counted."""
