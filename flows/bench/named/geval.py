"""Reports of two cells marked on nine criteria by a model (--data CORPUS --run ID --cell A --cell B --model P)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import BenchRequest, misuse, say


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.geval.run import measure_reports
    from flows.runs.attempts import AttemptStore
    from flows.runs.held_out import record_looks, to_read
    from flows.runs.models import require_callable
    from tasks.matter.loading import load_corpus
    from tasks.models.access import ModelAccess

    if len(set(ask.cells)) != 2 or not ask.model or not ask.run:
        raise misuse(
            "geval", "compares two cells of a run by a model", "name --run ID --cell A --cell B --model PROFILE"
        )
    store = AttemptStore(ask.settings.runs, ask.run)
    if store.pinned() is None:
        raise misuse(ask.run, "is no run", "name one that `solon run` printed, with --run ID")
    access = ModelAccess(
        ask.settings.models_file, cache=ask.settings.judge_cache / "models", mode=ask.settings.model_cache
    )
    require_callable([access.profile(ask.model, "chat")] if ask.settings.model_cache != "replay" else [])
    corpus = load_corpus(ask.folder(), ask.settings.sealed, ask.limit, ask.settings.cache)
    client = access.client(ask.model, role="judge")
    ids = {matter.matter_id for matter in corpus.matters}
    marked = [a for a in store.ended() if a.cell.name in ask.cells and a.matter_id in ids]
    record_looks(to_read(marked, store), ask.settings, "bench geval")
    return measure_reports(store, corpus.matters, ask.cells, client, ask.labels, say)


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.geval.run import render as table

    return table(result)
