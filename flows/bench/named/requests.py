"""Asks of requests in natural words: right, wrong, left open, dropped (--data the shared data, --held-out)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import SHARED, BenchRequest, misuse, models_in_force


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.requests.gold import HALVES
    from flows.bench.requests.run import measure_requests
    from flows.runs.cells import resolve_cell
    from flows.runs.plan import open_harness

    if ask.held_out not in HALVES:
        raise misuse(
            "requests", f"has no set {ask.held_out!r}", "name first, second, third, fourth or fifth by --held-out"
        )
    with models_in_force(ask.settings):
        return measure_requests(
            ask.data or SHARED,
            resolve_cell(next(iter(ask.cells), "extractive"), ask.settings),
            open_harness(ask.settings),
            ask.settings.cache,
            half=HALVES[ask.held_out],
            limit=ask.limit,
            only=ask.only,
            sample=ask.sample,
        )


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.requests.run import render as table

    return table(result)
