"""A few edits of a step compared as one: for edits that each help on few criteria, and together on most matters.

Each is screened on the training matters, alone and, where it does not lead, beside those that lead. Of edits that would
write the same file, rivals, the one that gains most there goes on; those that lead are put together, and the whole is
compared with the incumbent in one comparison of the run. Where it is promoted, each edit must show evidence of its own
(``credit.py``), and of rivals the best stays; what is left out is so for good, and the policy decides once more on what
is left.

Edits may need each other: a kind of clause that is known takes the questions of its neighbours until these are known
too, so that what each adds to those before it is little though all together are worth much. Where what has evidence of
its own is not promoted, the whole is not thrown away with it: an edit then stays unless nothing is lost where it is
taken back from the others, and the policy decides on that. The bound of ``credit.py`` on single edits does not hold of
what is kept so; that it was, and without what evidence, is told of each.

The bound stands: whatever is promoted, the whole was promoted before it, so a run of edits that do nothing promotes any
with the probability of ``sequential.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from tasks.harness import HarnessRef
from tasks.learning.acceptance import AcceptancePolicy
from tasks.learning.comparison import Arena, confirmed, decided_on, order_of, refused, screen_of
from tasks.learning.credit import best_of, credited
from tasks.learning.harnesses import candidate, with_edits
from tasks.learning.records import Decision, Edit
from tasks.learning.scores import Floats
from tasks.learning.sequential import lead_of
from tasks.matter.records import Matter

IDLE: Final = "taken back from the edits of its step, nothing is lost"
OUTDONE: Final = "another edit of the same file does better"
IN_COMPANY: Final = "missed where it is taken back from the others"
UNSPOKEN: Final = "no evidence of its own: it"
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


@dataclass
class _File:
    """The edits of one file that lead on the training matters, with what each gains there; the best is first.

    Attributes:
        beside: Whether the best leads beside others only.
    """

    arms: list[tuple[Edit, Floats]] = field(default_factory=list)
    beside: bool = False

    @property
    def best(self) -> Edit:
        return self.arms[0][0]

    @property
    def rank(self) -> tuple[bool, float]:
        """The place among the others: after those that it may need, and the most gain first."""
        return self.beside, -float(np.nansum(self.arms[0][1]))

    def add(self, edit: Edit, gains: Floats) -> None:
        self.arms.append((edit, gains))
        first = best_of(np.stack([of for _, of in self.arms]))
        self.arms.insert(0, self.arms.pop(first))


@dataclass(frozen=True)
class _Round:
    """What a comparison of edits as one is made with."""

    current: HarnessRef
    policy: AcceptancePolicy
    arena: Arena
    number: int
    store: Path

    def holding(self, edits: Sequence[Edit]) -> HarnessRef:
        return with_edits(self.current, edits, self.store)


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
        edits: Edits that passed the gates, each made from the incumbent; no more are drawn than it takes to have
            ``most`` files for which one leads.
        policy: One that draws pairs.
        arena: Where they are compared.
        number: Which comparison of the learning run it is, from 0.
        spent: Comparisons of the run that came to the test before.
        most: Files whose edits are compared as one.
        store: Folder of harness versions.

    Returns:
        The harness to go on with, and what became of each edit that was drawn, by digest.
    """
    at = _Round(current, policy, arena, number, store)
    files, found = _screened(at, edits, most)
    if not files:
        return current, found
    whole = at.holding([file.best for file in files])
    decision = confirmed(policy, current, whole, arena, number, spent)
    if not decision.accepted or (len(files) == 1 and len(files[0].arms) == 1):
        kept, problems, said = [file.best for file in files], dict[str, str](), dict[str, str]()
        last = whole
    else:
        chosen, kept, problems, said = _credited(at, files)
        last = at.holding(kept)
        if last != whole:
            decision = decided_on(policy, current, last, arena, number) if kept else _without(decision)
        if not decision.accepted:
            needed = _missed(at, chosen, order_of(arena, number))
            again = decided_on(policy, current, at.holding(needed), arena, number) if needed else decision
            if again.accepted:
                kept, last, decision = needed, at.holding(needed), again
                problems = {edit.digest: IDLE for edit in chosen if edit not in needed}
                said = {digest: f"{IN_COMPANY}; on top of those before it, it {one}" for digest, one in said.items()}
    together = sum(len(file.arms) for file in files)
    told = decision.model_copy(update={"reason": f"{together} edits as one: {decision.reason}"})
    for edit in (edit for file in files for edit, _ in file.arms):
        problem = "" if edit in kept else problems.get(edit.digest, OUTDONE)
        version = whole.version if problem else last.version
        found[edit.digest] = WeighedEdit(told, problem, version, whole.version, said.get(edit.digest, ""))
    return last if decision.accepted else current, found


def _screened(at: _Round, edits: Iterable[Edit], most: int) -> tuple[list[_File], dict[str, WeighedEdit]]:
    """Return the files for which an edit leads on training matters, in their order, and the edits that do not.

    Each is screened by itself. What does not lead is screened once more beside those that lead, in the place of the one
    that leads for its file: what needs the company of others to be of use is found there.
    """
    files: dict[tuple[str, str], _File] = {}
    idle: list[Edit] = []
    drawn = screen_of(at.policy, at.arena, at.number)
    for edit in edits:
        gains = at.arena.gains(at.current, candidate(at.current, edit, at.store), drawn)
        if lead_of(gains) <= 0:
            idle.append(edit)
            continue
        files.setdefault((edit.surface, edit.path), _File()).add(edit, gains)
        if len(files) == most:
            break
    found = {edit.digest: _behind(at, edit, drawn) for edit in idle}
    for edit, gains in _in_company(at, list(files.values()), idle, drawn):
        file = files.get((edit.surface, edit.path))
        if file or len(files) < most:
            del found[edit.digest]
            late = file if file and file.beside else _File([(file.best, np.zeros_like(gains))] if file else [], True)
            late.add(edit, gains)
            files[edit.surface, edit.path] = late
            outdone = file.arms[1:] if file and file is not late else []
            found |= {one.digest: _behind(at, one, drawn, OUTDONE) for one, _ in outdone}
    return sorted(files.values(), key=lambda file: file.rank), found


def _in_company(
    at: _Round, files: Sequence[_File], edits: Sequence[Edit], drawn: Drawn
) -> Iterator[tuple[Edit, Floats]]:
    """Yield the edits that lead beside the best of files, each in the place of that of its file, with their gains."""
    best = [file.best for file in files]
    for edit in edits if best else ():
        others = [one for one in best if (one.surface, one.path) != (edit.surface, edit.path)]
        gains = at.arena.gains(at.holding(best), at.holding([*others, edit]), drawn)
        if lead_of(gains) > 0:
            yield edit, gains


def _behind(at: _Round, edit: Edit, drawn: Drawn, problem: str = "") -> WeighedEdit:
    alone = candidate(at.current, edit, at.store)
    told = problem or f"does not lead on {len(drawn)} training matters, by itself or beside those that lead"
    return WeighedEdit(refused(at.policy, at.current, alone, told), "", alone.version, "")


def _credited(at: _Round, files: Sequence[_File]) -> tuple[list[Edit], list[Edit], dict[str, str], dict[str, str]]:
    """Return the best edit of each file, those with evidence of their own, why others have none, and what it is."""
    drawn = order_of(at.arena, at.number)
    chosen: list[Edit] = []
    added: list[Floats] = []
    before = at.current
    at.arena.gains(before, at.holding([file.best for file in files]), drawn)  # first the two that are run in any case
    for place, file in enumerate(files):
        rest = [other.best for other in files[:place]]
        gains = np.stack([at.arena.gains(before, at.holding([*rest, edit]), drawn) for edit, _ in file.arms])
        over_both = np.concatenate([np.stack([of for _, of in file.arms]), gains], axis=1)
        chosen.append(file.arms[best_of(over_both)][0])
        added.append(gains[0])
        before = at.holding([*rest, file.best])
    credits = credited(np.stack(added))
    found = [(edit, one) for edit, one in zip(chosen, credits, strict=True)]
    passed = [edit for edit, one in found if one.passed]
    problems = {edit.digest: f"{UNSPOKEN} {one}" for edit, one in found if not one.passed}
    kept = _missed(at, passed, drawn)
    idle = {edit.digest: IDLE for edit in passed if edit not in kept}
    return chosen, kept, problems | idle, {edit.digest: str(one) for edit, one in found}


def _missed(at: _Round, edits: Sequence[Edit], drawn: Drawn) -> list[Edit]:
    """Return the edits that are missed where they are taken back, one after the other, from those that are left."""
    kept = list(edits)
    for edit in reversed(edits):  # the least first: of two that do the same the greater one stays
        others = [other for other in kept if other != edit]
        if lead_of(at.arena.gains(at.holding(others), at.holding(kept), drawn)) <= 0:
            kept = others
    return kept


def _without(decision: Decision) -> Decision:
    """Return the refusal of a whole of which no edit has evidence of its own."""
    return decision.model_copy(update={"accepted": False, "reason": f"{decision.reason}; no edit of it stands alone"})
