"""Acceptance policies where the truth is known: false promotions, power, pairs (--limit N, --data RUNS)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import BenchRequest


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.learner import RUNS, measure_learner

    return measure_learner(ask.limit or RUNS, ask.folder() if ask.data else None, ask.only)


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.learner import render as table

    return table(result)
