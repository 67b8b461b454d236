"""JSON Lines; a bad line costs that line only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tasks.tracing.builder import TrajectoryBuilder
from tasks.tracing.values import from_json

MAX_LINE = 16 * 2**20  # characters of an event that is parsed: a hostile line stays within memory


def events(trace: str, builder: TrajectoryBuilder) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a trace with their line numbers; other lines become problems."""
    for number, line in enumerate(trace.split("\n"), start=1):
        if not line.strip():
            continue
        event = from_json(line) if len(line) <= MAX_LINE else None
        if isinstance(event, dict):
            yield number, event
        else:
            builder.problem(number, f"not a JSON object: {line.strip()[:80]!r}")
