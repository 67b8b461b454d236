"""Questions read as kinds of clauses, in catalogues with and without the kind asked for (--limit N kinds, --quick)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import BenchRequest


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.posed import measure_posed

    return measure_posed(ask.limit, quick=ask.quick)


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.posed import render as table

    return table(result)
