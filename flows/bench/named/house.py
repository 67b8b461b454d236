"""Figures of the source of a checkout by room, and which room imports which (--data ROOT; this one by default)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flows.bench.request import BenchRequest


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.house.figures import measure_house

    return measure_house((ask.data or Path(__file__).parents[3]).resolve())


def render(result: dict[str, Any]) -> str:
    """Return the tables."""
    from flows.bench.house.figures import render as tables

    return tables(result)
