"""The words that are read in a clause (what it raises, what it amends): each is taken away, and a clause is read."""

from __future__ import annotations

from collections.abc import Iterator

from flows.bench.liveness.records import Leaf, fewer, with_rows
from flows.bench.liveness.witness import witness
from knowledge_db import KnowledgeBase
from tasks.drafting.extractive.differing.amending_words import AmendingCues
from tasks.drafting.interrogator.raising import RaisingCues
from tasks.harness import Harness
from tasks.legaltext.fold import straight

_SEEDS = 20  # witnesses of each pattern: optional parts of it are then met and left out
# A sentence of an amendment in which the words stand.
_AMENDS = {
    "changes": "Section 7 is hereby {}.",
    "reads": 'Section 7 is amended, {} "Rent is due."',
    "strikes": "Section 7 is amended and is {}.",
    "takes": "Section 7 is amended by {} its second sentence.",
    "puts": 'Section 7 is amended by deleting "ten" {} "nine".',
    "exchanges": 'Section 7 is amended; "ten" is {} by "nine".',
}


def raises(harness: Harness) -> Iterator[Leaf]:
    """Take each word away, and read a clause in which it stands."""
    yield from _amends(harness.knowledge)
    yield from _raised(harness.knowledge)


def _amends(base: KnowledgeBase) -> Iterator[Leaf]:
    rows = [row for row in base.questions if row.use == "amends"]
    whole = AmendingCues(base)
    for row in rows:
        others = tuple(r for r in rows if r is not row)
        for name, other in fewer(row, "patterns"):
            less = AmendingCues(with_rows(base, questions=(*others, other) if other.patterns else others))
            told = [_AMENDS[row.name].format(word) for word in _words(name)]
            alive = any(whole.read(sentence) != less.read(sentence) for sentence in told)
            yield Leaf("raises", f"amends: {row.name}: {name}", alive)


def _raised(base: KnowledgeBase) -> Iterator[Leaf]:
    for row in (row for row in base.questions if row.use == "raises"):
        whole = RaisingCues(with_rows(base, questions=(row,)))
        for name, other in fewer(row, "patterns"):
            less = RaisingCues(with_rows(base, questions=(other,) if other.patterns else ()))
            alive = any(whole.met(row.name, word) != less.met(row.name, word) for word in _words(name))
            yield Leaf("raises", f"{row.name}: {name}", alive)


def _words(name: str) -> list[str]:
    return [straight(witness(name.partition(": ")[2], seed=seed) or "") for seed in range(_SEEDS)]
