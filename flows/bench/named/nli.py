"""Entailment, contradiction or neutral with evidence, without a model (--data contractnli; --limit documents)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import BenchRequest


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.nli.run import measure_nli
    from tasks.models.access import ModelAccess

    return measure_nli(ask.folder(), ModelAccess().client("wordllama", "embeddings").embed, ask.limit)


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.nli.run import render as table

    return table(result)
