"""Share of questions whose right place is in the answer of the researcher (--data legalbench_rag | contractnli)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import BenchRequest, say


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.research.run import measure_research
    from tasks.harness import packaged

    return measure_research(ask.folder(), packaged(), ask.limit, ask.exemplars, say)


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.research.run import render as table

    return table(result)
