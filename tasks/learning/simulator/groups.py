"""Edits compared as one, where the truth is known: what is kept of planted edits that hide behind helpful ones.

Every criterion of a matter asks for one of many targets (kinds of clause, say), and an edit changes what becomes of the
criteria of its target. To some targets a rival for the same file is planted; to others an edit of another file that
answers in the place of the sound one. A target may also have a neighbour whose edit, once it is in, takes the criteria
of the target for its own, until the target has an edit too. The rule is the learner's own (``weighing.py``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tasks.learning.scores import Counts, Floats
from tasks.learning.sequential import PROMOTED, RULE, differences, lead_of, walk
from tasks.learning.weighing import Weighing, by_own_evidence, missed, screened, weigh

SOUND: Final = "helpful"
TAKEN: Final = "taken"
FARES: Final[Mapping[str, float]] = {SOUND: 0.85, "worse": 0.5, "spoilt": 0.35, "harmful": 0.1, "hidden": 0.35}
"""How often a criterion passes whose target is answered by an edit of each label."""
RIVALS: Final = ("worse", "spoilt", "harmful")
NOTHING: Final = "nothing"


@dataclass(frozen=True)
class Groups:
    """Sizes of the world; those of the contract matters.

    Attributes:
        base: Share of criteria that pass without an edit.
        common: The k-th target is asked for in proportion to 1 / (k + common).
        planted: Targets to which each label of ``RIVALS`` is planted.
        hiding: Targets to which an edit of another file is planted that answers in the place of the sound one.
        idle: Edits for targets that nobody asks for.
        near: Targets that have a neighbour.
        taken: Share of their criteria that pass while the neighbour has an edit and they have none.
    """

    training: int = 11
    confirm: int = 21
    test: int = 60
    targets: int = 40
    criteria: int = 18
    base: float = 0.2
    common: float = 10.0
    planted: int = 6
    hiding: int = 6
    idle: int = 6
    near: int = 0
    taken: float = 0.0
    candidates: int = 5


CROWDED: Final = Groups(targets=26, planted=13, hiding=0)
"""As the catalogue of the contract matters is: the kinds that bear on a criterion, with rivals for half of them."""
NEAR: Final = Groups(targets=26, planted=13, hiding=0, base=0.5, near=26, taken=0.1)
"""As that catalogue is to a harness that finds half of what is asked by its words alone: a kind that is known takes the
questions of a neighbour that is not."""


class Offer(NamedTuple):
    """An edit: its label, the target it answers, and the file it writes (offers of one file are rivals)."""

    label: str
    target: int
    file: tuple[str, int]


class _Matters:
    """Matters of one run: how many criteria of each target pass under each state of it."""

    def __init__(self, of: Groups, fares: Mapping[str, float], rng: Generator) -> None:
        matters = of.training + of.confirm + of.test
        weights = 1 / (np.arange(of.targets) + of.common)
        target = rng.choice(of.targets, p=weights / weights.sum(), size=(matters, of.criteria))
        place = target[..., None] == np.arange(of.targets)
        shape = target.shape
        fares = {NOTHING: of.base, **fares}
        passes = {label: rng.random(shape) < share for label, share in fares.items()}
        turned = rng.random(shape) < 0.5
        self._of, self._place, self._passes, self._turned = of, place, passes, turned
        self._neighbour = _neighbours(of, rng)
        self._known: dict[tuple[str, bool], Floats] = {}

    def passed(self, label: str, hidden: bool) -> Floats:
        """Return passed criteria by matter and target, where an edit of this label and perhaps a hidden one act."""
        if (label, hidden) not in self._known:
            passes = self._passes[label]
            if hidden:
                passes = np.where(self._turned | (label in (NOTHING, TAKEN)), self._passes["hidden"], passes)
            self._known[label, hidden] = (passes[..., None] & self._place).sum(axis=1).astype(np.float64)
        return self._known[label, hidden]

    def rate(self, edits: Sequence[Offer]) -> Floats:
        """Return the pass rate of each matter under edits of different files."""
        total = self.passed(NOTHING, hidden=False).sum(axis=1)
        rate: Floats = total / self._of.criteria + self.gains((), edits)
        return rate

    def gains(self, before: Sequence[Offer], after: Sequence[Offer]) -> Floats:
        """Return what a matter gains, of shape (matters,)."""
        touched = {one.target for one in set(before) ^ set(after) if one.target >= 0}
        targets = touched | {of for of, near in self._neighbour.items() if near in touched}
        change = [self.change(target, before, after) for target in sorted(targets)]
        gained: Floats = np.sum(change, axis=0) / self._of.criteria if change else np.zeros(len(self._turned))
        return gained

    def change(self, target: int, before: Sequence[Offer], after: Sequence[Offer]) -> Floats:
        """Return how many criteria of a target pass more."""
        states = [self._state(edits, target) for edits in (before, after)]
        was, now = (self.passed(*state)[:, target] for state in states)
        change: Floats = now - was
        return change

    def _state(self, edits: Sequence[Offer], target: int) -> tuple[str, bool]:
        on = {one.label for one in edits if one.target == target}
        near = self._neighbour.get(target)
        without = TAKEN if near is not None and any(one.target == near for one in edits) else NOTHING
        return next(iter(on - {"hidden"}), without), "hidden" in on


def _neighbours(of: Groups, rng: Generator) -> dict[int, int]:
    """Return the neighbour of each target that has one: the one before it in an order of chance."""
    if not of.near:
        return {}
    order = rng.permutation(of.targets)
    return {int(target): int(order[at - 1]) for at, target in enumerate(order[: of.near])}


def offered(of: Groups, rng: Generator) -> list[Offer]:
    """Return what is offered in one run, in an order of chance."""
    edits = [Offer(SOUND, target, ("file", target)) for target in range(of.targets)]
    for label in FARES:
        if label != SOUND:
            rival = label in RIVALS
            spoilt = rng.choice(of.targets, of.planted if rival else of.hiding, replace=False)
            own = "file" if rival else "other"
            edits += [Offer(label, int(target), (own, int(target))) for target in spoilt]
    edits += [Offer(NOTHING, -1, ("idle", at)) for at in range(of.idle)]
    return [edits[at] for at in rng.permutation(len(edits))]


@dataclass(frozen=True)
class _World:
    """What weighs planted edits (``weighing.Scales``)."""

    matters: _Matters
    of: Groups

    def file_of(self, edit: Offer) -> Hashable:
        return edit.file

    def screened(self, before: Sequence[Offer], after: Sequence[Offer]) -> Floats:
        return self.matters.gains(before, after)[: self.of.training]

    def compared(self, before: Sequence[Offer], after: Sequence[Offer]) -> Floats:
        return self.matters.gains(before, after)[self.confirm]

    def promoted(self, edits: Sequence[Offer], over: Sequence[Offer] = ()) -> bool:
        before, after = (_counts(self.matters.rate(taken)[self.confirm], self.of) for taken in (over, edits))
        rule = replace(RULE, candidates=self.of.candidates).over(self.of.confirm)
        return bool(walk(differences(before, after, rule), rule).state == PROMOTED)

    @property
    def confirm(self) -> slice:
        return slice(self.of.training, self.of.training + self.of.confirm)


Rule = Callable[[_World, Sequence[Offer]], list[Offer]]
"""Returns what is kept of edits; nothing where it is not promoted."""


def learners(world: _World, edits: Sequence[Offer]) -> list[Offer]:
    """The learner's rule, whole."""
    found: Weighing[Offer] = weigh(world, edits, len(edits))
    return found.kept if found.promoted else []


def own_evidence(world: _World, edits: Sequence[Offer]) -> list[Offer]:
    """The same without its last step: what has no evidence of its own is kept in no company."""
    files, _ = screened(world, edits, len(edits))
    if not files or not world.promoted([file.best for file in files]):
        return []
    kept = by_own_evidence(world, files).kept
    return kept if kept and world.promoted(kept) else []


def taken_back(world: _World, edits: Sequence[Offer]) -> list[Offer]:
    """The rule before: the first of a file is taken, and kept where the gain shrinks without it."""
    first = {one.file: one for one in reversed(edits)}.values()
    whole = [one for one in first if lead_of(world.screened((), [one])) > 0]
    if not whole or not world.promoted(whole):
        return []
    kept = missed(world, whole)
    return kept if kept and world.promoted(kept) else []


RULES: Final[Mapping[str, Rule]] = {"as_it_is": learners, "own_evidence": own_evidence, "taken_back": taken_back}


def measure_groups(of: Groups, runs: int, seed: int = 0) -> dict[str, Any]:
    """Measure each rule; the same sizes, runs and seed give the same numbers.

    Returns:
        By rule: ``promoted`` (share of runs whose whole is promoted), ``kept`` (by label, of what was offered in runs
        that promote), ``regrown`` (share of what all helpful edits gain on fresh matters), ``false_promotion`` (share
        of comparisons whose edits gain and lose alike that promote any; the bound is 0.05 over ``candidates``).
    """
    return {name: _measured(rule, of, runs, seed) for name, rule in RULES.items()}


def _measured(rule: Rule, of: Groups, runs: int, seed: int) -> dict[str, Any]:
    fares = {**FARES, TAKEN: of.taken}
    took = [_ran(rule, of, fares, np.random.default_rng([seed, run])) for run in range(runs)]
    even = dict.fromkeys(fares, of.base)
    idle = [_ran(rule, of, even, np.random.default_rng([seed, run])) for run in range(runs)]
    promoted = [one for one in took if one.promoted]
    counted: dict[str, Counter[str]] = {"kept": Counter(), "offered": Counter()}
    for one in promoted:
        counted["kept"].update(edit.label for edit in one.kept)
        counted["offered"].update(edit.label for edit in one.offered)
    return {
        "promoted": len(promoted) / runs,
        "kept": {label: counted["kept"][label] / n for label, n in sorted(counted["offered"].items())},
        "regrown": float(np.mean([one.regrown for one in promoted])) if promoted else 0.0,
        "false_promotion": sum(one.promoted for one in idle) / runs,
        "runs": runs,
    }


class _Ran(NamedTuple):
    promoted: bool
    offered: Sequence[Offer]
    kept: Sequence[Offer]
    regrown: float


def _ran(rule: Rule, of: Groups, fares: Mapping[str, float], rng: Generator) -> _Ran:
    matters, edits = _Matters(of, fares, rng), offered(of, rng)
    kept = rule(_World(matters, of), edits)
    sound = [one for one in edits if one.label == SOUND]
    gained, all_ = (matters.gains((), taken)[of.training + of.confirm :].mean() for taken in (kept, sound))
    return _Ran(bool(kept), edits, kept, float(gained / all_) if all_ else 0.0)


def _counts(rate: Floats, of: Groups) -> Counts:
    passed: NDArray[np.float64] = (rate * of.criteria).round()
    nothing = np.zeros_like(passed)
    return Counts(passed, of.criteria - passed, nothing, nothing)
