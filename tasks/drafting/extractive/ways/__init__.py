"""Ways of answering an ask without a model, each a function ``(ask, room) -> AskAnswer | None``."""
