"""How often the class of a matter is known by its title: first guess and first three (--titles FILE)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import BenchRequest, misuse


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.router.run import measure_router
    from flows.runs.plan import open_harness
    from tasks.harness import parsed

    if ask.titles is None:
        raise misuse("router", "has no titles to measure on", "name them with --titles FILE: title, area, work_type")
    return measure_router(ask.titles, parsed(open_harness(ask.settings)))


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.router.run import render as table

    return table(result)
