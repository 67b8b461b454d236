"""The mutation bench over a corpus: sentences of its contracts as drafts, half of them altered."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tasks.matter.records import Matter

if TYPE_CHECKING:
    from flows.bench.grounding.measure import BenchCase


def measure_grounding(matters: Iterable[Matter], cache: Path, limit: int, seed: int = 0) -> dict[str, Any]:
    """Run the reconcilers over altered and unaltered sentences of each matter, verbatim and in plain words.

    Args:
        matters: Whose documents are sources and draft at once.
        cache: Cache of canonical texts.
        limit: Maximum number of sentences per matter, in each wording.
        seed: Of the choice of sentences and alterations.

    Returns:
        Rates with their n, by kind of alteration, and the first cases that went wrong: of the verbatim sentences
        at the top, of paraphrased ones under ``paraphrase``. Swaps of two figures of one document are apart.
    """
    from flows.bench.grounding.measure import Wording, grounding_cases
    from tasks.harness import packaged
    from tasks.retrieval.knowledge import gather
    from tasks.sources.stage import inventory
    from tasks.sources.texts import load_texts

    harness = packaged()
    cases: dict[Wording, list[BenchCase]] = {"verbatim": [], "paraphrase": []}
    for matter in matters:
        state = inventory(matter, cache, harness.knowledge)
        pack = gather(matter, state, harness)
        texts = load_texts(matter, cache)
        for wording, found in cases.items():
            found.extend(grounding_cases(texts, matter, state, pack, harness, seed, limit, wording))
    return {**_rates(cases["verbatim"]), "paraphrase": _rates(cases["paraphrase"])}


def _rates(cases: Iterable[BenchCase]) -> dict[str, Any]:
    from flows.bench.grounding.measure import summarise

    result = summarise(cases)
    return {
        "altered": result.altered,
        "detected": result.detected,
        "detection": result.detection,
        "verbatim": result.verbatim,
        "false_alarms": result.false_alarms,
        "false_alarm_rate": result.false_alarm_rate,
        "swapped": {"detected": result.swaps_detected, "n": result.swapped},
        "by_alteration": {kind: {"detected": d, "n": n} for kind, (d, n) in result.by_alteration.items()},
        "wrong": [
            {
                "document": w.document,
                "alteration": w.alteration,
                "before": w.before,
                "after": w.after,
                "sentence": w.sentence,
                "findings": [f"{f.kind}: {f.text}" for f in w.findings],
            }
            for w in result.wrong
        ],
    }
