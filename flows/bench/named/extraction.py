"""Checklists filled from long cases: methods by length bin (--bins, --methods, --make DIR, --data, --only STYLE)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flows.bench.request import BenchRequest, misuse


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it, or write the cases."""
    from flows.bench.extraction.cases.making import BINS, STYLES, make_corpus
    from flows.bench.extraction.corpus import made, of_items, read_cases
    from flows.bench.extraction.methods import methods_named
    from flows.bench.extraction.run import measure_extraction

    bins, styles = _known(ask.bins, BINS, "length bin"), _known(ask.only, STYLES, "style")
    if ask.make is not None:
        cases = make_corpus(ask.make, ask.seed, bins, ask.limit or 1, styles)
        return {"made": [{"case": c.key, "documents": len(c.documents), "characters": c.characters} for c in cases]}
    measured = (
        read_cases(ask.folder(), bins if ask.bins else ()) if ask.data else made(ask.seed, bins, styles, ask.limit or 2)
    )
    methods = methods_named(ask.methods, ask.settings, ask.model, ask.seconds)
    return measure_extraction(of_items(measured, ask.items), methods)


def _known(asked: Sequence[str], among: Mapping[str, object], what: str) -> list[str]:
    """Return what is asked for in the order of what there is; all where nothing is asked.

    Raises:
        SolonError: One of them is not there.
    """
    for name in asked:
        if name not in among:
            raise misuse(name, f"is no {what}", f"use one of {', '.join(among)}")
    return [name for name in among if not asked or name in asked]


def render(result: dict[str, Any]) -> str:
    """Return the tables."""
    from flows.bench.extraction.run import render as table

    return table(result)
