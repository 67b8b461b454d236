"""Which of several edits that are compared as one are kept: the rule, whatever it is that weighs them.

**Screen.** Edits that would write the same file are rivals. Beginning with those that lead alone on the training
matters, every file in turn takes the edit that gains most there beside what the others have taken, or none; again until
nothing changes. Then all files that took none take the best of theirs at once, and the turns are taken again, what
harms most alone first: so edits that need each other are found, which lead neither alone nor one by one. Of the two
the one that gains more in training goes on.

**Compare.** What was taken is compared with the incumbent as one, in one comparison of the run.

**Evidence.** Where that is promoted, each edit must show evidence of its own (``credit.py``), and of rivals the best
stays; the policy decides once more on what is left.

**Company.** Edits may need each other: a kind of clause that is known takes the questions of its neighbours until these
are known too, so that what each adds to those before it is little though all together are worth much. So an edit also
stays that is missed where it is taken back from the others, if the policy promotes all that stay so, over the incumbent
and over those with evidence of their own. The bound of ``credit.py`` on single edits does not hold of what is kept so;
that it was, and without what evidence, is told of each.

The bound stands: whatever is promoted, the whole was promoted before it, so a run of edits that do nothing promotes any
with the probability of ``sequential.py``.

The learner weighs edits of a harness (``together.py``), the simulator planted ones (``simulator/groups.py``).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, Protocol, TypeVar

import numpy as np

from tasks.learning.credit import best_of, credited
from tasks.learning.scores import Floats
from tasks.learning.sequential import lead_of

IDLE: Final = "taken back from the edits of its step, nothing is lost"
OUTDONE: Final = "another edit of the same file does better"
IN_COMPANY: Final = "missed where it is taken back from the others"
UNSPOKEN: Final = "no evidence of its own: it"
SWEEPS: Final = 4
"""Rounds of turns at most; in 240 simulated steps nothing changed any more after two or three."""
E = TypeVar("E", bound=Hashable)
E_contra = TypeVar("E_contra", bound=Hashable, contravariant=True)


class Scales(Protocol[E_contra]):
    """What weighs edits. The incumbent is the harness with no edit."""

    def file_of(self, edit: E_contra) -> Hashable:
        """Return what the edit would write: edits of the same file are rivals."""
        ...

    def screened(self, before: Sequence[E_contra], after: Sequence[E_contra]) -> Floats:
        """Return what each training matter gains from these edits to those, of shape (matters,)."""
        ...

    def compared(self, before: Sequence[E_contra], after: Sequence[E_contra]) -> Floats:
        """Return the same of the matters that candidates are compared on."""
        ...

    def promoted(self, edits: Sequence[E_contra], over: Sequence[E_contra] = ()) -> bool:
        """Return whether the policy promotes these edits over those; the whole over none is asked about first."""
        ...


@dataclass
class File(Generic[E]):
    """The edits of one file that lead on the training matters beside those of the others, with what each gains there.

    Attributes:
        arms: The edits; the best is first.
        alone: Whether the best leads by itself, too.
    """

    arms: list[tuple[E, Floats]]
    alone: bool

    @property
    def best(self) -> E:
        """The one that goes on."""
        return self.arms[0][0]

    @property
    def rank(self) -> tuple[bool, float]:
        """The place among the others: those that may need others last, and else the most gain first."""
        return not self.alone, -float(np.nansum(self.arms[0][1]))


@dataclass(frozen=True)
class Credited(Generic[E]):
    """What the compared matters say of each file's edit.

    Attributes:
        chosen: The best edit of each file.
        kept: Those of them that are decided on.
        problems: Why another of them is not.
        said: What speaks for each, in words.
    """

    chosen: list[E]
    kept: list[E]
    problems: dict[E, str]
    said: dict[E, str]


@dataclass(frozen=True)
class Weighing(Generic[E]):
    """What became of edits.

    Attributes:
        whole: The edits that were compared as one; empty where none leads.
        rivals: Edits that lead and would write the file of one of the whole.
        behind: The edits that were screened out.
        kept: What was decided on last.
        promoted: Whether it was promoted.
        problems: Why an edit of the whole, or a rival in its place, is not in ``kept``, where there is more to say
            than that another of its file is.
        said: What speaks for an edit, in words.
    """

    whole: list[E] = field(default_factory=list)
    rivals: list[E] = field(default_factory=list)
    behind: list[E] = field(default_factory=list)
    kept: list[E] = field(default_factory=list)
    promoted: bool = False
    problems: dict[E, str] = field(default_factory=dict)
    said: dict[E, str] = field(default_factory=dict)


def weigh(scales: Scales[E], edits: Iterable[E], most: int) -> Weighing[E]:
    """Compare edits as one, and choose what is kept of them.

    Args:
        scales: What weighs them.
        edits: The edits; no more are drawn than it takes to have some of ``most`` files.
        most: Files whose edits are compared as one.
    """
    files, behind = screened(scales, edits, most)
    whole = [file.best for file in files]
    rivals = [edit for file in files for edit, _ in file.arms[1:]]
    promoted = bool(whole) and scales.promoted(whole)
    if not promoted or (len(whole) == 1 and not rivals):
        return Weighing(whole, rivals, behind, whole, promoted)
    found = by_own_evidence(scales, files)
    promoted = found.kept == whole or (bool(found.kept) and scales.promoted(found.kept))
    others = in_company(scales, found)
    more = bool(others.kept) and others.kept != found.kept and scales.promoted(others.kept)
    if more and (not promoted or scales.promoted(others.kept, over=found.kept)):
        found, promoted = others, True
    return Weighing(whole, rivals, behind, found.kept, promoted, found.problems, found.said)


def screened(scales: Scales[E], edits: Iterable[E], most: int) -> tuple[list[File[E]], list[E]]:
    """Return the files of which an edit leads on training matters, in their order, and the edits that do not lead."""
    offered: dict[Hashable, list[E]] = {}
    for edit in edits:
        offered.setdefault(scales.file_of(edit), []).append(edit)
        if len(offered) == most:
            break
    alone = {key: [(edit, scales.screened((), [edit])) for edit in arms] for key, arms in offered.items()}
    best = {key: arms[best_of(np.stack([of for _, of in arms]))] for key, arms in alone.items()}
    order = sorted(best, key=lambda key: float(np.nansum(best[key][1])))
    leading = {edit for arms in alone.values() for edit, of in arms if lead_of(of) > 0}
    turns = _Turns(scales, offered, {key: [edit] if edit in leading else [] for key, (edit, _) in best.items()})
    turns.take(order)
    first = turns.gain, turns.leading
    rest = [key for key in order if not turns.taken[key]]
    turns.taken |= {key: [best[key][0]] for key in rest}
    turns.take(rest)
    turns.take(order)
    found = first[1] if first[0] >= turns.gain else turns.leading
    files = [File(of, of[0][0] in leading) for of in found.values() if of]
    ahead = {edit for file in files for edit, _ in file.arms}
    behind = [edit for arms in offered.values() for edit in arms if edit not in ahead]
    return sorted(files, key=lambda file: file.rank), behind


@dataclass
class _Turns(Generic[E]):
    """Files that take in turn the edit that gains most on training matters beside what the others have taken.

    Attributes:
        taken: The edit that a file has taken, or none.
        leading: The edits of a file that led when it last took one, with what they gain; the one taken first.
    """

    scales: Scales[E]
    offered: Mapping[Hashable, Sequence[E]]
    taken: dict[Hashable, list[E]]
    leading: dict[Hashable, list[tuple[E, Floats]]] = field(default_factory=dict)

    @property
    def gain(self) -> float:
        """What all that is taken gains on the training matters."""
        whole = [edit for of in self.taken.values() for edit in of]
        return float(np.nansum(self.scales.screened((), whole))) if whole else 0.0

    def take(self, order: Sequence[Hashable]) -> None:
        """Let these files take turns until nothing changes."""
        for _ in range(SWEEPS):
            before = dict(self.taken)
            self.leading = self.leading | {key: self._turn(key) for key in order}
            if self.taken == before:
                break

    def _turn(self, key: Hashable) -> list[tuple[E, Floats]]:
        rest = [edit for other, of in self.taken.items() if other != key for edit in of]
        gains = [(edit, self.scales.screened(rest, [*rest, edit])) for edit in self.offered[key]]
        leading = [(edit, of) for edit, of in gains if lead_of(of) > 0]
        if leading:
            leading.insert(0, leading.pop(best_of(np.stack([of for _, of in leading]))))
        self.taken[key] = [edit for edit, _ in leading[:1]]
        return leading


def by_own_evidence(scales: Scales[E], files: Sequence[File[E]]) -> Credited[E]:
    """Keep the edits with evidence of their own (``credit.py``) that are missed where they are taken back."""
    chosen: list[E] = []
    added: list[Floats] = []
    scales.compared((), [file.best for file in files])  # first the two that are run in any case
    for place, file in enumerate(files):
        rest = [other.best for other in files[:place]]
        gains = np.stack([scales.compared(rest, [*rest, edit]) for edit, _ in file.arms])
        over_both = np.concatenate([np.stack([of for _, of in file.arms]), gains], axis=1)
        chosen.append(file.arms[best_of(over_both)][0])
        added.append(gains[0])
    found = list(zip(chosen, credited(np.stack(added)), strict=True))
    passed = [edit for edit, one in found if one.passed]
    problems = {edit: f"{UNSPOKEN} {one}" for edit, one in found if not one.passed}
    kept = missed(scales, passed)
    idle = {edit: IDLE for edit in passed if edit not in kept}
    return Credited(chosen, kept, problems | idle, {edit: str(one) for edit, one in found})


def in_company(scales: Scales[E], found: Credited[E]) -> Credited[E]:
    """Keep the edits that are missed where they are taken back from the others, whatever speaks for each alone."""
    kept = missed(scales, found.chosen)
    said = {edit: f"{IN_COMPANY}; on top of those before it, it {one}" for edit, one in found.said.items()}
    said |= {edit: found.said[edit] for edit in found.kept}
    return Credited(found.chosen, kept, {edit: IDLE for edit in found.chosen if edit not in kept}, said)


def missed(scales: Scales[E], edits: Sequence[E]) -> list[E]:
    """Return the edits that are missed where they are taken back, one after the other, from those that are left."""
    kept = list(edits)
    for edit in reversed(edits):  # the least first: of two that do the same the greater one stays
        others = [other for other in kept if other != edit]
        if lead_of(scales.compared(others, kept)) <= 0:
            kept = others
    return kept
