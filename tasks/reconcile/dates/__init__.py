"""The gate of dates: every date of a draft against the documents and what follows from them."""
