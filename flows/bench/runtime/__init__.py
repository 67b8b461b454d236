"""What the loop of an agent costs the machine that drives it."""
