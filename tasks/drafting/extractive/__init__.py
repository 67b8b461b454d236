"""The runtime without a model: plan, retrieve, answer, quote, cite."""
