"""Edits compared as one, where the truth is known: what is kept of planted edits that hide behind helpful ones.

Every criterion of a matter asks for one of many targets (kinds of clause, say), and an edit changes what becomes of the
criteria of its target alone. To some targets a rival for the same file is planted; to others an edit of another file
that answers in the place of the sound one. The screening, the test and the crediting are the learner's own functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tasks.learning.credit import best_of, credited
from tasks.learning.scores import Counts, Floats
from tasks.learning.sequential import PROMOTED, RULE, differences, lead_of, walk

SOUND: Final = "helpful"
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
    candidates: int = 5


CROWDED: Final = Groups(targets=26, planted=13, hiding=0)
"""As the catalogue of the contract matters is: the kinds that bear on a criterion, with rivals for half of them."""


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
        self._known: dict[tuple[str, bool], Floats] = {}

    def passed(self, label: str, hidden: bool) -> Floats:
        """Return passed criteria by matter and target, where an edit of this label and perhaps a hidden one act."""
        if (label, hidden) not in self._known:
            passes = self._passes[label]
            if hidden:
                passes = np.where(self._turned | (label == NOTHING), self._passes["hidden"], passes)
            self._known[label, hidden] = (passes[..., None] & self._place).sum(axis=1).astype(np.float64)
        return self._known[label, hidden]

    def rate(self, edits: Sequence[Offer]) -> Floats:
        """Return the pass rate of each matter under edits of different files."""
        total = self.passed(NOTHING, hidden=False).sum(axis=1)
        for target in {one.target for one in edits if one.target >= 0}:
            total = total + self.change(target, (), edits)
        rate: Floats = total / self._of.criteria
        return rate

    def gains(self, before: Sequence[Offer], after: Sequence[Offer]) -> Floats:
        """Return what a matter gains, of shape (matters,)."""
        targets = {one.target for one in set(before) ^ set(after) if one.target >= 0}
        change = [self.change(target, before, after) for target in targets]
        gained: Floats = np.sum(change, axis=0) / self._of.criteria if change else np.zeros(len(self._turned))
        return gained

    def change(self, target: int, before: Sequence[Offer], after: Sequence[Offer]) -> Floats:
        """Return how many criteria of a target pass more."""
        states = [_state(edits, target) for edits in (before, after)]
        was, now = (self.passed(*state)[:, target] for state in states)
        change: Floats = now - was
        return change


def _state(edits: Sequence[Offer], target: int) -> tuple[str, bool]:
    on = {one.label for one in edits if one.target == target}
    return next(iter(on - {"hidden"}), NOTHING), "hidden" in on


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


Rule = Callable[[_Matters, Sequence[Offer], Groups], tuple[list[Offer], list[Offer]]]
"""Returns what is compared as one, and what of it would be kept if it is promoted."""


def own_evidence(matters: _Matters, edits: Sequence[Offer], of: Groups) -> tuple[list[Offer], list[Offer]]:
    """The learner's rule: of rivals the best goes on, and each edit is kept by evidence of its own (``credit.py``)."""
    training, confirm = slice(of.training), slice(of.training, of.training + of.confirm)
    files: dict[tuple[str, int], list[tuple[Offer, Floats]]] = {}
    for one in edits:
        gains = matters.gains((), [one])
        if lead_of(gains[training]) > 0:
            files.setdefault(one.file, []).append((one, gains))
    for arms in files.values():
        arms.insert(0, arms.pop(best_of(np.stack([gains[training] for _, gains in arms]))))
    order = sorted(files.values(), key=lambda arms: -arms[0][1][training].sum())
    whole = [arms[0][0] for arms in order]
    chosen: list[Offer] = []
    added: list[Floats] = []
    for place, arms in enumerate(order):
        rest = whole[:place]
        gains = np.stack([matters.gains(rest, [*rest, one]) for one, _ in arms])
        screened = np.stack([alone[training] for _, alone in arms])
        over_both = np.concatenate([screened, gains[:, confirm]], axis=1)
        chosen.append(arms[best_of(over_both)][0])
        added.append(gains[0, confirm])
    found = zip(chosen, credited(np.stack(added)), strict=True) if added else ()
    kept = [one for one, of_it in found if of_it.passed]
    return whole, _missed(matters, kept, confirm)


def taken_back(matters: _Matters, edits: Sequence[Offer], of: Groups) -> tuple[list[Offer], list[Offer]]:
    """The rule before: the first of a file is taken, and kept where the gain shrinks without it."""
    training, confirm = slice(of.training), slice(of.training, of.training + of.confirm)
    first = {one.file: one for one in reversed(edits)}.values()
    whole = [one for one in first if lead_of(matters.gains((), [one])[training]) > 0]
    return whole, _missed(matters, whole, confirm)


def _missed(matters: _Matters, edits: Sequence[Offer], confirm: slice) -> list[Offer]:
    kept = list(edits)
    for one in reversed(edits):
        others = [other for other in kept if other != one]
        if lead_of(matters.gains(others, kept)[confirm]) <= 0:
            kept = others
    return kept


RULES: Final[Mapping[str, Rule]] = {"own_evidence": own_evidence, "taken_back": taken_back}


def measure_groups(of: Groups, runs: int, seed: int = 0) -> dict[str, Any]:
    """Measure each rule; the same sizes, runs and seed give the same numbers.

    Returns:
        By rule: ``promoted`` (share of runs whose whole is promoted), ``kept`` (by label, of what was offered in runs
        that promote), ``regrown`` (share of what all helpful edits gain on fresh matters), ``false_promotion`` (share
        of comparisons whose edits gain and lose alike that promote any; the bound is 0.05 over ``candidates``).
    """
    return {name: _measured(rule, of, runs, seed) for name, rule in RULES.items()}


def _measured(rule: Rule, of: Groups, runs: int, seed: int) -> dict[str, Any]:
    took = [_ran(rule, of, FARES, np.random.default_rng([seed, run])) for run in range(runs)]
    even = dict.fromkeys(FARES, of.base)
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
    whole, kept = rule(matters, edits, of)
    confirm, test = slice(of.training, of.training + of.confirm), slice(of.training + of.confirm, None)
    promotes = bool(whole) and all(_promoted(matters, of, taken, confirm) for taken in (whole, kept))
    sound = [one for one in edits if one.label == SOUND]
    gained, all_ = (matters.gains((), taken)[test].mean() for taken in (kept, sound))
    return _Ran(promotes, edits, kept if promotes else (), float(gained / all_) if all_ else 0.0)


def _promoted(matters: _Matters, of: Groups, edits: Sequence[Offer], confirm: slice) -> bool:
    before, after = (_counts(matters.rate(taken)[confirm], of) for taken in ((), edits))
    rule = replace(RULE, candidates=of.candidates).over(of.confirm)
    return bool(walk(differences(before, after, rule), rule).state == PROMOTED)


def _counts(rate: Floats, of: Groups) -> Counts:
    passed: NDArray[np.float64] = (rate * of.criteria).round()
    nothing = np.zeros_like(passed)
    return Counts(passed, of.criteria - passed, nothing, nothing)
