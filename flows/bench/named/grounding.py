"""Altered figures and dates detected, and false alarms on verbatim sentences (--data a corpus of contracts)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import BenchRequest


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.grounding.run import measure_grounding
    from tasks.matter.loading import load_corpus

    corpus = load_corpus(ask.folder(), ask.settings.sealed, None, ask.settings.cache)
    return measure_grounding(corpus.matters, ask.settings.cache, ask.limit or 20)
