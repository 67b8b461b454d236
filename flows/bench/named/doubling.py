"""How much longer a document of twice the size takes, by kind of input (--only WORD of its name)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import BenchRequest


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.tools.doubling import measure_doubling

    return measure_doubling(only=ask.only)


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    return "\n".join(
        f"{kind:28} {row['seconds']:7.3f} s  {row['doubled']:7.3f} s  {row['ratio']:5.2f}  {row['stage']}"
        for kind, row in result["kinds"].items()
    )
