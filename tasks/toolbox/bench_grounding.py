"""The mutation bench over a corpus: verbatim sentences as drafts, half of them altered."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tasks.matter.records import Matter


def measure_grounding(matters: Iterable[Matter], cache: Path, limit: int, seed: int = 0) -> dict[str, Any]:
    """Run the reconcilers over altered and verbatim sentences of each matter.

    Args:
        matters: Whose documents are sources and draft at once.
        cache: Cache of canonical texts.
        limit: Most sentences a matter.
        seed: Of the choice of sentences and alterations.

    Returns:
        Rates with their n, by kind of alteration, and the first cases that went wrong.
    """
    from tasks.reconcile.bench import BenchCase, grounding_cases, summarise
    from tasks.retrieval.knowledge import gather, load_harness
    from tasks.sources.stage import inventory
    from tasks.sources.texts import load_texts

    harness, cases = load_harness(None), list[BenchCase]()
    for matter in matters:
        state = inventory(matter, cache)
        pack = gather(matter, state, harness)
        cases += grounding_cases(load_texts(matter, cache), matter, state, pack, seed, limit)
    result = summarise(cases)
    return {
        "altered": result.altered,
        "detected": result.detected,
        "detection": result.detection,
        "verbatim": result.verbatim,
        "false_alarms": result.false_alarms,
        "false_alarm_rate": result.false_alarm_rate,
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
