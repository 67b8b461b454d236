"""A few edits of a step compared as one: for edits that each help on few criteria, and together on most matters.

What is kept of them is the rule of ``weighing.py``; here is what weighs an edit of a harness: matters that are run
under the harness with it and without it, and the policy of the learning run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tasks.harness import HarnessRef
from tasks.learning.acceptance import AcceptancePolicy
from tasks.learning.comparison import Arena, confirmed, decided_on, order_of, refused, screen_of
from tasks.learning.harnesses import with_edits
from tasks.learning.records import Decision, Edit
from tasks.learning.scores import Floats
from tasks.learning.weighing import OUTDONE, weigh
from tasks.matter.records import Matter

Drawn = Sequence[tuple[Matter, int]]


@dataclass(frozen=True)
class WeighedEdit:
    """What became of one edit.

    Attributes:
        decision: The comparison: of the edit alone where it was screened out, else of all together.
        problem: Why the gain is not the edit's; empty where it is, or where there is none.
        version: The harness that was decided on.
        together: The harness with all edits that were compared as one; empty where the edit was screened out.
        credit: The evidence for an edit that is kept, in words.
    """

    decision: Decision
    problem: str
    version: str
    together: str
    credit: str = ""

    @property
    def accepted(self) -> bool:
        """Whether the edit is kept."""
        return self.decision.accepted and not self.problem


@dataclass(frozen=True)
class _Comparison:
    """What a comparison of edits of a harness as one is made with (``weighing.Scales``)."""

    current: HarnessRef
    policy: AcceptancePolicy
    arena: Arena
    number: int
    spent: int
    store: Path
    decisions: dict[tuple[HarnessRef, HarnessRef], Decision] = field(default_factory=dict)
    _held: dict[tuple[Edit, ...], HarnessRef] = field(default_factory=dict)

    def holding(self, edits: Sequence[Edit]) -> HarnessRef:
        key = tuple(edits)
        if key not in self._held:
            self._held[key] = with_edits(self.current, edits, self.store)
        return self._held[key]

    def file_of(self, edit: Edit) -> tuple[str, str]:
        return edit.surface, edit.path

    def screened(self, before: Sequence[Edit], after: Sequence[Edit]) -> Floats:
        return self.arena.gains(self.holding(before), self.holding(after), self.screen)

    def compared(self, before: Sequence[Edit], after: Sequence[Edit]) -> Floats:
        return self.arena.gains(self.holding(before), self.holding(after), self._order)

    def promoted(self, edits: Sequence[Edit], over: Sequence[Edit] = ()) -> bool:
        """Decide by the policy; the first time it counts as a comparison of the run."""
        base, held = self.holding(over), self.holding(edits)
        if not self.decisions:
            found = confirmed(self.policy, base, held, self.arena, self.number, self.spent)
        else:
            found = decided_on(self.policy, base, held, self.arena, self.number)
        self.decisions[base, held] = found
        return found.accepted

    @cached_property
    def screen(self) -> Drawn:
        return screen_of(self.policy, self.arena, self.number)

    @cached_property
    def _order(self) -> Drawn:
        return order_of(self.arena, self.number)


def weighed(
    current: HarnessRef,
    edits: Iterable[Edit],
    policy: AcceptancePolicy,
    arena: Arena,
    number: int,
    spent: int,
    most: int,
    store: Path,
) -> tuple[HarnessRef, dict[str, WeighedEdit]]:
    """Compare edits as one.

    Args:
        current: The incumbent.
        edits: Edits that passed the gates, each made from the incumbent; no more are drawn than it takes to have some
            of ``most`` files.
        policy: One that draws pairs.
        arena: Where they are compared.
        number: Which comparison of the learning run it is, from 0.
        spent: Comparisons of the run that came to the test before.
        most: Files whose edits are compared as one.
        store: Folder of harness versions.

    Returns:
        The harness to go on with, and what became of each edit that was drawn, by digest.
    """
    at = _Comparison(current, policy, arena, number, spent, store)
    of = weigh(at, edits, most)
    found = {edit.digest: _behind(at, edit) for edit in of.behind}
    if not of.whole:
        return current, found
    whole, last = at.holding(of.whole), at.holding(of.kept)
    decision = at.decisions[current, last] if of.kept else _without(at.decisions[current, whole])
    compared = [*of.whole, *of.rivals]
    told = decision.model_copy(update={"reason": f"{len(compared)} edits as one: {decision.reason}"})
    for edit in compared:
        problem = "" if edit in of.kept else of.problems.get(edit, OUTDONE)
        version = whole.version if problem else last.version
        found[edit.digest] = WeighedEdit(told, problem, version, whole.version, of.said.get(edit, ""))
    return last if of.promoted else current, found


def _behind(at: _Comparison, edit: Edit) -> WeighedEdit:
    alone = at.holding([edit])
    told = f"does not lead on {len(at.screen)} training matters beside the other edits"
    return WeighedEdit(refused(at.policy, at.current, alone, told), "", alone.version, "")


def _without(decision: Decision) -> Decision:
    """Return the refusal of a whole of which no edit has evidence of its own."""
    return decision.model_copy(update={"accepted": False, "reason": f"{decision.reason}; no edit of it stands alone"})
