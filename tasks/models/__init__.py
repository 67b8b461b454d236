"""The one client of language models: profiles, retries, fallbacks, budgets, prices, record and replay."""
