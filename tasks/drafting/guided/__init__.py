"""The guided runtime: the harness plans, retrieves and verifies; a model answers narrow questions over passages."""
