"""The gate of dates: it checks every date of a draft against the documents and what follows from them."""
