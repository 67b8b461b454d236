"""Error classes beside two labellers: confusions, kappa, Other (--labels FILE, --data the shared data)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import SHARED, BenchRequest


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.taxonomy.run import measure_taxonomy

    return measure_taxonomy(ask.labels, ask.data or SHARED)


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.taxonomy.run import render as table

    return table(result)
