"""The words by which a clause raises a question: each is taken away, and a clause that has it is read."""

from __future__ import annotations

from collections.abc import Iterator

from flows.bench.liveness.records import Leaf, fewer, with_rows
from flows.bench.liveness.witness import witness
from knowledge_db.records import OF_A_CLAUSE
from tasks.drafting.interrogator.raising import RaisingCues
from tasks.harness import Harness
from tasks.legaltext.fold import straight

_SEEDS = 20  # witnesses of each pattern: optional parts of it are then met and left out


def raises(harness: Harness) -> Iterator[Leaf]:
    """Take each word away, and read a clause in which it stands."""
    base = harness.knowledge
    for row in (row for row in base.questions if row.use in OF_A_CLAUSE):
        whole = RaisingCues(with_rows(base, questions=(row,)))
        for name, other in fewer(row, "patterns"):
            less = RaisingCues(with_rows(base, questions=(other,) if other.patterns else ()))
            words = [straight(witness(name.partition(": ")[2], seed=seed) or "") for seed in range(_SEEDS)]
            alive = any(whole.met(row.name, word) != less.met(row.name, word) for word in words)
            yield Leaf("raises", f"{row.name}: {name}", alive)
