"""Errors of twelve kinds in drafts: caught, missed, false alarms (--only RUNTIME); by hand: --planted FILE."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flows.bench.request import SHARED, BenchRequest, misuse


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from tempfile import TemporaryDirectory

    from flows.bench.gates.run import measure_gates
    from flows.runs.cells import resolve_cell
    from flows.runs.plan import open_harness
    from tasks.matter.loading import load_corpus

    if ask.planted is not None:
        from flows.bench.gates.planted import measure_planted

        with TemporaryDirectory() as scratch:
            return measure_planted(ask.planted, open_harness(ask.settings), ask.settings.cache, Path(scratch))
    data, limit, settings = ask.data or SHARED, ask.limit or 12, ask.settings
    folders = [p for p in (Path("examples"), data / "cuad_matters") if p.is_dir()]
    if not folders:
        raise misuse(str(data), "holds no cuad_matters/, and there are no examples/ here", "name it with --data DIR")
    loaded = [(p.name, load_corpus(p, settings.sealed, None, settings.cache).matters) for p in folders]
    with TemporaryDirectory() as scratch:
        return measure_gates(
            [(name, matters[:: max(1, len(matters) // limit)][:limit]) for name, matters in loaded],
            resolve_cell(next(iter(ask.cells), "extractive"), settings),
            open_harness(settings),
            settings.cache,
            Path(scratch),
            data / "runs",
            ask.only,
        )


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    if "records" in result:
        from flows.bench.gates.planted import render_planted

        return render_planted(result)
    from flows.bench.gates.run import render as table

    return table(result)
