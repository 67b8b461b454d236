"""Skills, role prompts and gate settings as data, with a router."""
