"""The benches by name: every file of ``flows/bench/named`` is one."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from types import ModuleType
from typing import Any

from flows.bench import named
from flows.bench.request import BenchRequest, misuse

_ELSEWHERE = frozenset({"ablation", "geval"})  # a corpus run serves its own models; geval's cells are of a stored run


def benches() -> dict[str, str]:
    """Return the benches with the first line of what each measures."""
    return {name: (_bench(name).__doc__ or "").partition("\n")[0] for name in _names()}


def measure(name: str, ask: BenchRequest) -> dict[str, Any]:
    """Run a bench by name.

    Raises:
        SolonError: No such bench, or no data for it.
    """
    if name not in _names():
        raise misuse(name, "is no bench", f"use one of {', '.join(_names())}")
    with _models_served(ask, () if name in _ELSEWHERE else ask.cells):
        measured: dict[str, Any] = _bench(name).measure(ask)
    return measured


def _models_served(ask: BenchRequest, cells: Sequence[str]) -> AbstractContextManager[None]:
    """Serve the models that a bench asks, where their profiles say how: that of ``--model``, and those of its cells."""
    if not ask.model and not cells:
        return nullcontext()
    from flows.runs.cells import resolve_cells
    from flows.runs.models import models_named, models_of
    from flows.runs.serving import served

    models = models_of(resolve_cells(cells, ask.settings), ask.settings)
    return served((*models, *models_named(ask.model, ask.settings)), ask.settings)


def render(name: str, result: dict[str, Any]) -> str:
    """Return a result as text for a terminal: the bench's own table, or its figures line by line."""
    if own := getattr(_bench(name), "render", None):
        return str(own(result))
    rows = ((key, f"{value:.4g}" if isinstance(value, float) else str(value)) for key, value in result.items())
    return "\n".join(f"{key:28} {value}" for key, value in rows)


def _names() -> list[str]:
    return sorted(found.name for found in pkgutil.iter_modules(named.__path__))


def _bench(name: str) -> ModuleType:
    return importlib.import_module(f"{named.__name__}.{name}")
