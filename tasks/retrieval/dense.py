"""Embedders and rerankers by the name of their profile, loaded once a process.

Profiles: :mod:`tasks.models.search.profiles`. A driver may lend an embedder that runs elsewhere (GPU actors of a
cluster); it then stands in for the one of its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from tasks.models.search.profiles import RetrievalModel, find_model
from tasks.models.search.vectors import CrossEncoder, Embedder, Matrix, package_folder, unit_rows

__all__ = [
    "CrossEncoder",
    "Embedder",
    "Matrix",
    "lent",
    "load_embedder",
    "load_reranker",
    "model_key",
    "package_folder",
    "unit_rows",
]

RERANKER = "minilm-reranker"
_LENT: ContextVar[Embedder | None] = ContextVar("lent_embedder", default=None)


def load_embedder(profile: str) -> Embedder | None:
    """Return the embedder of a profile, None for ``none``.

    Raises:
        SolonError: No such profile, or its weights or library are not here.
    """
    lent_one = _LENT.get()
    if lent_one is not None and lent_one.name == profile:
        return lent_one
    return _embedder(find_model(profile, "embedders"))


def load_reranker(profile: str = RERANKER) -> CrossEncoder:
    """Return the cross-encoder of a profile.

    Raises:
        SolonError: No such profile, or its weights or library are not here.
    """
    return _reranker(find_model(profile, "rerankers"))


def model_key(profile: str) -> str:
    """Return what the vectors of an embedding profile are kept under: its name, model, version and settings."""
    return find_model(profile, "embedders").key


@contextmanager
def lent(embedder: Embedder) -> Iterator[None]:
    """Let an embedder that runs elsewhere stand in for the one of its name within this context."""
    token = _LENT.set(embedder)
    try:
        yield
    finally:
        _LENT.reset(token)


@lru_cache(maxsize=4)
def _embedder(model: RetrievalModel) -> Embedder | None:
    if model.kind == "none":
        return None
    if model.kind == "static":
        from tasks.models.search.local import WordLlama

        return WordLlama(model)
    if model.kind == "onnx":
        from tasks.models.search.local import OnnxEmbedder

        return OnnxEmbedder(model)
    if model.kind == "sentence-transformers":
        from tasks.models.search.sentence import SentenceEmbedder

        return SentenceEmbedder(model)
    from tasks.models.search.hosted import ApiEmbedder

    return ApiEmbedder(model)


@lru_cache(maxsize=2)
def _reranker(model: RetrievalModel) -> CrossEncoder:
    if model.kind == "onnx":
        from tasks.models.search.local import OnnxReranker

        return OnnxReranker(model)
    if model.kind == "sentence-transformers":
        from tasks.models.search.sentence import SentenceReranker

        return SentenceReranker(model)
    from tasks.models.search.hosted import ApiReranker

    return ApiReranker(model)
