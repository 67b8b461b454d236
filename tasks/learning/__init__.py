"""Learning: redaction, proposers, edit gates, acceptance, ledger."""
