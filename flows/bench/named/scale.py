"""Time and peak memory of index, queries and graph at 1.5M tokens (--data legalbench_rag)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import BenchRequest, misuse


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.retrieval.scale import measure_scale

    if not (ask.folder() / "corpus").is_dir():
        raise misuse(str(ask.data), "holds no corpus/ with texts", "name a LegalBench-RAG folder")
    return measure_scale(ask.folder(), embedder=ask.embedder)


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.retrieval.table import render_scale as table

    return table(result)
