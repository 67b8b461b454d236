"""Speed of each scanner in MB/s and of the readers in documents/s (--data a folder of documents)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import BenchRequest


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.tools.speed import measure_speed

    return measure_speed(ask.folder(), ask.limit or 40)
