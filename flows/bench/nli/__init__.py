"""ContractNLI without a model: does an agreement say a statement, say the opposite, or say nothing of it."""
