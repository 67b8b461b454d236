"""The proposer that is a CLI agent: it changes a copy of the editable text in a sandbox, one mechanism at a time."""
