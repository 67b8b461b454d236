"""What a brief asks: parsed once before drafting, answered one by one, and accounted for at the release."""
