"""What proposes edits."""
