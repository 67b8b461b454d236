"""Span recall on LegalBench-RAG, NDCG on rated clauses in BEIR form, with BM25 (--data legalbench_rag | acord)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from flows.bench.request import BenchRequest, misuse, models_in_force, say

if TYPE_CHECKING:
    from tasks.retrieval.narrowing import SentenceChooser


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    with models_in_force(ask.settings):  # profiles of [models.X]
        return _measured(ask)


def _measured(ask: BenchRequest) -> dict[str, Any]:
    from flows.bench.retrieval.graded import is_rated_collection, run_rated, systems_rated
    from flows.bench.retrieval.measure import RERANKED, data_sets, run_bench, systems_with
    from knowledge_db.research import ChunkKind

    if odd := set(ask.chunks) - set(get_args(ChunkKind)):
        raise misuse(", ".join(sorted(odd)), "is no kind of chunks", f"use {', '.join(get_args(ChunkKind))}")
    if is_rated_collection(ask.folder()):
        return run_rated(ask.folder(), ask.limit, systems_rated(ask.embedder, ask.chunks), say)
    if not data_sets(ask.folder()):
        raise misuse(
            str(ask.data),
            "holds neither benchmarks/*.json with their corpus/ nor queries.jsonl, corpus.jsonl and qrels/",
            "name a LegalBench-RAG or a BEIR folder",
        )
    rerank = RERANKED if ask.rerank is None else ask.rerank
    return run_bench(
        ask.folder(),
        sample=ask.limit,
        systems=systems_with(ask.embedder, ask.chunks),
        rerank=rerank,
        say=say,
        model=_chooser(ask) if ask.filter else None,
    )


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.retrieval.table import render as table

    return table(result)


def _chooser(ask: BenchRequest) -> SentenceChooser:
    from flows.runs.models import require_callable
    from tasks.drafting.narrowing import ModelChooser
    from tasks.harness import packaged
    from tasks.models.access import ModelAccess

    access = ModelAccess(ask.settings.models_file, cache=ask.settings.cache / "models", mode=ask.settings.model_cache)
    require_callable([access.profile(ask.filter, "chat")] if ask.settings.model_cache != "replay" else [])
    return ModelChooser(access.client(ask.filter, role="chooser"), packaged().prompts)
