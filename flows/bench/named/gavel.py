"""Checklists that people filled: against themselves, altered, the wrong case (--data); filled anew by --model."""

from __future__ import annotations

from typing import Any

from flows.bench.request import SHARED, BenchRequest, say


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it; with a model, what it reads and tells of the cases (--only NUMBER) instead."""
    from flows.bench.gavel.asked import measure_asked
    from flows.bench.gavel.run import measure_gavel
    from flows.runs.models import require_callable
    from tasks.models.access import ModelAccess

    folder, settings = ask.data or SHARED / "gavel", ask.settings
    if not ask.model:
        return measure_gavel(folder, ask.limit)
    access = ModelAccess(settings.models_file, cache=settings.judge_cache / "models", mode=settings.model_cache)
    require_callable([access.profile(ask.model, "chat")] if settings.model_cache != "replay" else [])
    return measure_asked(folder, access.client(ask.model, role="judge"), ask.only, ask.limit, say)


def render(result: dict[str, Any]) -> str:
    """Return the tables."""
    from flows.bench.gavel import asked, run

    return asked.render(result) if "asked" in result else run.render(result)
