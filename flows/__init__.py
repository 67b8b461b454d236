"""What runs: one file a flow, readable top to bottom, no logic of its own."""
