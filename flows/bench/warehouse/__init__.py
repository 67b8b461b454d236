"""How fast the warehouse writes, lands, answers and reports, and how that grows."""
