"""Leaves of the harness by surface: changing each must change what some stage gives (--only SURFACE)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import BenchRequest


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.liveness.bench import measure_liveness
    from tasks.harness import find_harness, parsed, validated

    return measure_liveness(parsed(validated(find_harness(ask.settings.harness))), ask.only)


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.liveness.bench import render as table

    return table(result)
