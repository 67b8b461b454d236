"""Checklists that people filled: against themselves, altered, the wrong case (--data the shared data/gavel)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import SHARED, BenchRequest


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.gavel.run import measure_gavel

    return measure_gavel(ask.data or SHARED / "gavel", ask.limit)


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.gavel.run import render as table

    return table(result)
