"""What proposes edits. To add a proposer: write its module, and add its line in ``registry.py``."""
