"""Rows landed a second, seconds of all questions, growth for ten times the data (--size, --limit N attempts)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import BenchRequest, misuse


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.warehouse.measure import SIZES, measure_warehouse

    if ask.size not in SIZES:
        raise misuse(ask.size, "is no size of the made-up warehouse", f"use one of {', '.join(SIZES)}")
    return measure_warehouse(ask.limit or SIZES[ask.size])
