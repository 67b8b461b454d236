"""How often the class of a matter is known by its title: first guess and first three (--titles FILE | --data DIR)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import SHARED, BenchRequest


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it on the titles of a file, or on the labels that are kept by hash beside the index."""
    from flows.bench.router.kept import measure_kept
    from flows.bench.router.run import measure_router
    from flows.runs.plan import open_harness
    from tasks.harness import parsed

    harness = parsed(open_harness(ask.settings))
    if ask.titles is None:
        return measure_kept(ask.data or SHARED, harness, ask.labels)
    return measure_router(ask.titles, harness)


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.router.kept import render_kept
    from flows.bench.router.run import render as table

    return "\n".join([*([render_kept(result)] if "index" in result else []), table(result)])
