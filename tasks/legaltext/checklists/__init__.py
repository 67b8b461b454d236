"""Checklists: what is looked for in a case or a contract, and what was found, each value with its evidence."""
