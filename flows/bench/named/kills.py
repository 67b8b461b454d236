"""Kills landings at random moments: is anything lost, or there twice? (--limit N moments, --seed N)."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from flows.bench.request import BenchRequest


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.warehouse.kills import MOMENTS, measure_kills

    with tempfile.TemporaryDirectory() as folder:
        return measure_kills(Path(folder), ask.limit or MOMENTS, ask.seed)
