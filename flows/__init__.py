"""What runs: one file per flow, readable from top to bottom, without logic of its own."""
