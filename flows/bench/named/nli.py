"""Entailment, contradiction or neutral with evidence (--data contractnli; --limit documents; --model P --pairs N)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import BenchRequest, say


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it; with a model, each way to ask it instead."""
    from flows.bench.nli.run import measure_nli
    from flows.runs.models import require_callable
    from tasks.harness import find_harness, parsed, validated
    from tasks.models.access import ModelAccess

    embed = ModelAccess().client("wordllama", "embeddings").embed
    if not ask.model:
        return measure_nli(ask.folder(), embed, ask.limit, longest=ask.longest)
    access = ModelAccess(ask.settings.models_file, cache=ask.settings.cache / "models", mode=ask.settings.model_cache)
    require_callable([access.profile(ask.model, "chat")] if ask.settings.model_cache != "replay" else [])
    client = access.client(ask.model, role="solver")
    harness = parsed(validated(find_harness(ask.settings.harness)))
    return measure_nli(
        ask.folder(), embed, ask.limit, client, ask.only, ask.trials, say, harness, ask.pairs, ask.longest
    )


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.nli.run import render as table

    return table(result)
