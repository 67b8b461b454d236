"""Ways out of each sandbox that works here: contained, refused or ESCAPED (--quick, --only WORD)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import BenchRequest, say


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.sandbox.bench import measure_sandbox

    return measure_sandbox(ask.quick, ask.only, say=say)


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.sandbox.bench import render as table

    return table(result)
