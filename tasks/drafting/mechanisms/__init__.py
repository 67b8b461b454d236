"""Mechanisms: small deterministic units of the harness around a model, one file each."""
