"""Attacks on running commands, and whether what Solon promises held (--quick, --only WORD, --limit N trials)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import BenchRequest, say


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.faults.bench import measure_faults

    return measure_faults(quick=ask.quick, only=ask.only, trials=ask.limit, say=say)


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.faults.bench import render as table

    return table(result)
