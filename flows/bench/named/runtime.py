"""CPU of a turn of the agent's loop beside a bare one, and 200 attempts at once (--limit N attempts)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import BenchRequest, say


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.runtime.measure import measure_runtime

    return measure_runtime(ask.limit or 200, say=say)
