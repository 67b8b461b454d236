"""What a brief instructs to be changed, piece by piece."""
