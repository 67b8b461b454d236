"""A few edits of a step compared as one: for edits that each help on few criteria, and together on most matters.

Each is screened alone on the training matters; those that lead are put together, and the whole is compared with the
incumbent in one comparison of the run. Where it is promoted, each edit is taken back from the whole: one without which
the pairs are no worse is left out (``attribution``), and the policy decides once more on the pairs of what is left.

The bound stands: whatever is promoted, the whole was promoted before it, so a run of edits that do nothing promotes any
with the probability of ``sequential.py``. Of what is left out or kept *within* a promoted whole it says nothing; that
an edit kept does its part rests on the pairs alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tasks.harness import HarnessRef
from tasks.learning.acceptance import AcceptancePolicy
from tasks.learning.comparison import Arena, confirmed, evaluations, order_of, refused, screened
from tasks.learning.harnesses import candidate
from tasks.learning.records import Decision, Edit
from tasks.learning.sequential import promising
from tasks.matter.records import Matter

IDLE: Final = "taken back from the edits of its step, nothing is lost"
Drawn = Sequence[tuple[Matter, int]]


@dataclass(frozen=True)
class Weighed:
    """What became of one edit.

    Attributes:
        decision: The comparison: of the edit alone where it was screened out, else of all together.
        problem: Why the gain is not the edit's; empty where it is, or where there is none.
        version: The harness that was decided on.
        together: The harness with all edits that were compared as one; empty where the edit was screened out.
    """

    decision: Decision
    problem: str
    version: str
    together: str

    @property
    def accepted(self) -> bool:
        """Whether the edit is kept."""
        return self.decision.accepted and not self.problem


def weighed(
    current: HarnessRef,
    edits: Iterable[Edit],
    policy: AcceptancePolicy,
    arena: Arena,
    number: int,
    spent: int,
    most: int,
    store: Path,
) -> tuple[HarnessRef, dict[str, Weighed]]:
    """Compare edits as one.

    Args:
        current: The incumbent.
        edits: Edits of different files that passed the gates, each made from the incumbent; no more are drawn than
            it takes to have ``most`` that lead.
        policy: One that draws pairs.
        arena: Where they are compared.
        number: Which comparison of the learning run it is, from 0.
        spent: Comparisons of the run that came to the test before.
        most: Edits that are compared as one.
        store: Folder of harness versions.

    Returns:
        The harness to go on with, and what became of each edit that was drawn, by digest.
    """
    found: dict[str, Weighed] = {}
    leading: list[Edit] = []
    for edit in edits:
        alone = candidate(current, edit, store)
        if problem := screened(policy, current, alone, arena, number):
            found[edit.digest] = Weighed(refused(policy, current, alone, problem), "", alone.version, "")
            continue
        leading.append(edit)
        if len(leading) == most:
            break
    if not leading:
        return current, found
    whole = _with(current, leading, store)
    decision = confirmed(policy, current, whole, arena, number, spent)
    kept, last = leading, whole
    if decision.accepted and len(leading) > 1:
        drawn = order_of(arena, number)[: decision.pairs]
        kept, last = _carrying(current, leading, policy, arena, drawn, store)
        if len(kept) < len(leading):
            again = policy.decide(*evaluations(current, last, arena.paired(current, last, drawn)))
            decision = again.model_copy(update={"more": 0})
    told = decision.model_copy(update={"reason": f"{len(leading)} edits as one: {decision.reason}"})
    for edit in leading:
        idle = IDLE if edit not in kept else ""
        found[edit.digest] = Weighed(told, idle, whole.version if idle else last.version, whole.version)
    return last if decision.accepted else current, found


def _carrying(
    current: HarnessRef, edits: Sequence[Edit], policy: AcceptancePolicy, arena: Arena, drawn: Drawn, store: Path
) -> tuple[list[Edit], HarnessRef]:
    """Return the edits without which the pairs are worse, and the harness with them; the last one is left in."""
    kept, whole = list(edits), _with(current, edits, store)
    for edit in edits:
        others = [other for other in kept if other != edit]
        if not others:
            break
        without = _with(current, others, store)
        if not _lost(without, whole, policy, arena, drawn):
            kept, whole = others, without
    return kept, whole


def _lost(without: HarnessRef, whole: HarnessRef, policy: AcceptancePolicy, arena: Arena, drawn: Drawn) -> bool:
    """Whether the whole leads without the edit taken back, on the pairs batch by batch: the first lead is enough."""
    for end in range(policy.sampling.batch, len(drawn) + policy.sampling.batch, policy.sampling.batch):
        # What was run before is not run again, so each look costs one batch.
        pairs = arena.paired(without, whole, drawn[:end])
        if not promising(*evaluations(without, whole, pairs)):
            return True
    return False


def _with(base: HarnessRef, edits: Sequence[Edit], store: Path) -> HarnessRef:
    for edit in edits:
        base = candidate(base, edit, store)
    return base
