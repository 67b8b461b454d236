"""``solon bench extraction``: checklists filled from long cases that we make up, by several methods."""
