"""The fault bench: Solon is attacked while it works, and what it promised is checked afterwards."""
