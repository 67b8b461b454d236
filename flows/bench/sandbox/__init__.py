"""The sandbox bench: ways out of a sandbox, each tried in every kind that works on this machine."""
