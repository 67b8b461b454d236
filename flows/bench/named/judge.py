"""Input tokens of judging: one call per criterion, cached, in batches (--data a corpus, else examples/)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flows.bench.request import BenchRequest


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from tempfile import TemporaryDirectory

    from flows.bench.judge.run import measure_judging
    from flows.runs.cells import resolve_cell
    from flows.runs.plan import open_harness

    corpus = ask.folder() if ask.data else Path("examples")
    with TemporaryDirectory() as scratch:
        return measure_judging(
            corpus if corpus.is_dir() else None,
            resolve_cell(next(iter(ask.cells), "extractive"), ask.settings),
            open_harness(ask.settings),
            ask.settings.cache,
            Path(scratch),
            ask.limit,
        )


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.judge.run import render as table

    return table(result)
