"""The words by which the papers of a lawsuit say something: whether each of them tells anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flows.bench.liveness.records import Leaf, fewer
from flows.bench.liveness.witness import witness
from knowledge_db.records import LitigationCue
from tasks.drafting.extraction.scanning.cues import Cues
from tasks.harness import Harness

_SEEDS = 12  # texts that a pattern is tried on


def litigation(harness: Harness) -> Iterator[Leaf]:
    """Take each pattern away from its row, beside all rows of its use, and read words that it matches."""
    rows = harness.knowledge.litigation
    for at, row in enumerate(rows):
        for name, less in fewer(row, "patterns"):
            others = [less] if less.patterns else []
            without = [*rows[:at], *others, *rows[at + 1 :]]
            yield Leaf("litigation", f"{row.use} {row.says or row.name}: {name}", _told(rows, without, row, name))


def _told(rows: Sequence[LitigationCue], less: Sequence[LitigationCue], row: LitigationCue, name: str) -> bool:
    """Say whether some words tell something else without a pattern."""
    whole, part = (Cues([r for r in some if r.use == row.use]) for some in (rows, less))
    words = (witness(name.partition(": ")[2], seed=seed) or "" for seed in range(_SEEDS))
    return any(whole.all(row.use, word) != part.all(row.use, word) for word in words)
