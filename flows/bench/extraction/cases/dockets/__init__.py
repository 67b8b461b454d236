"""The dockets of the styles whose courts print long ones."""
