"""The bench of reports: two cells of a stored run marked on nine criteria, and how people voted beside it."""
