"""What each acceptance policy does in a world whose truth is known: false promotions, power, pairs, held-out gain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tasks.learning.acceptance import AcceptancePolicy, BestSoFar, BlendedMargin
from tasks.learning.records import Decision, Evaluation, MatterScore
from tasks.learning.scores import Counts
from tasks.learning.sequential import RULE, PairedSequential, SequentialRule
from tasks.learning.simulator.loop import (
    Edit,
    FreshPairs,
    LearningLoop,
    LearningRuns,
    Sizes,
    StoredIncumbent,
    Watch,
    ran,
)
from tasks.learning.simulator.world import World

STEPS: Final = 10  # candidates of one run, as many as a run of the learner plans
CHUNK: Final = 500  # runs at once: what they draw stays in the cache of a core
CHECKED: Final = 2  # runs of each first chunk of which every decision is made again by the scalar code
EFFECTS: Final = ("0.05", "0.10")
UNEVEN: Final = ("0.10", "0.18", "0.25")
FEW: Final = 4  # comparisons planned where there are few matters, as in the runs over the contract matters
# Kinds that must not be promoted, each with its size.
OTHERS: Final[tuple[Edit, ...]] = (("harmful", 0.05), ("few", 0.05), ("trap", 0.05), ("skewed", 0.05))
MIXTURE: Final[Mapping[Edit, float]] = {
    ("nothing", 0.0): 0.4,
    ("helpful", 0.05): 0.2,
    ("harmful", 0.05): 0.25,
    ("few", 0.05): 0.1,
    ("trap", 0.05): 0.05,
}
"""What a proposer offers in a run with a bit of everything, and how often."""


@dataclass(frozen=True)
class Setting:
    """A world, its sizes and how many runs are simulated in it.

    Attributes:
        passes: How often ``paired_sequential`` may try each matter; 1 in a deterministic cell.
        rule: Its numbers.
    """

    world: World = field(default_factory=World)
    sizes: Sizes = field(default_factory=Sizes)
    runs: int = 10_000
    passes: int = PairedSequential.sampling.trials
    seed: int = 0
    rule: SequentialRule = field(default_factory=lambda: replace(RULE, candidates=STEPS))


Maker = Callable[[Setting, Watch | None], LearningLoop]
Offered = Callable[[Generator, int], Sequence[Sequence[Edit]]]
"""Gives the edit of each step, for so many runs."""


def _paired(of: Setting, watch: Watch | None) -> LearningLoop:
    return FreshPairs(PairedSequential(of.rule), of.world, of.sizes, of.passes, watch)


LOOPS: Final[Mapping[str, Maker]] = {
    BestSoFar.name: lambda of, watch: StoredIncumbent(BestSoFar(), of.world, 10, watch),
    BlendedMargin.name: lambda of, watch: StoredIncumbent(BlendedMargin(), of.world, 24, watch),
    PairedSequential.name: _paired,
}
"""The loop of each policy, at the size at which it was used: 10 matters (hard-10), 24 matters (the seed), fresh pairs;
each matter as often as a learning run tries it."""


class DisagreementError(AssertionError):
    """The scalar code of a policy decides otherwise than the simulator says that it did."""


def measure(of: Setting, names: Iterable[str] = tuple(LOOPS)) -> dict[str, dict[str, Any]]:
    """Measure policies; the same setting gives the same numbers.

    Returns:
        By policy: ``false_promotion`` (share of runs of ten do-nothing edits that promote any), ``power`` by effect
        size, ``pairs`` (mean over comparisons with no effect and with each of those effects), and more.

    Raises:
        DisagreementError: A policy's own ``decide`` says otherwise than its function over arrays.
    """
    return {name: _measured(name, of) for name in names}


def _measured(name: str, of: Setting) -> dict[str, Any]:
    checker = _Checker(name)
    nothing = _runs(name, of, _all(("nothing", 0.0), STEPS), checker)
    helpful = {e: _runs(name, of, _all(("helpful", float(e))), checker) for e in EFFECTS}
    others = {edit[0]: _runs(name, of, _all(edit), None) for edit in OTHERS}
    pairs = {"0.00": float(nothing.pairs.mean())} | {e: float(r.pairs.mean()) for e, r in helpful.items()}
    return {
        "false_promotion": float(nothing.promoted.any(axis=1).mean()),
        "power": {e: float(r.promoted.mean()) for e, r in helpful.items()},
        "pairs": float(np.mean(list(pairs.values()))),
        "false_promotion_of_a_candidate": float(nothing.promoted.mean()),
        "apparent_gain_of_nothing": float(nothing.apparent.mean()),
        "pairs_by_effect": pairs,
        "promoted": {kind: float(r.promoted.mean()) for kind, r in others.items()},
        "mixed": _mixed(name, of),
        "runs": of.runs,
        "decisions_checked": checker.checked,
    }


def deterministic(runs: int, matters: int = 100) -> dict[str, Any]:
    """Measure ``paired_sequential`` in a cell that gives the same work product each time.

    There an edit that does nothing gives no difference at all. What must not be promoted is one that moves matters up
    and down and nothing in the mean: the noise is over matters, and each counts once.
    """
    exact = Setting(World(flips=0.0, collapse=0.0), Sizes(confirm=matters), runs, passes=1)
    name = PairedSequential.name
    shuffled = _runs(name, exact, _all(("shuffle", 0.1), STEPS), None)
    same = _runs(name, exact, _all(("nothing", 0.0), STEPS), None)
    helpful = {e: _runs(name, exact, _all(("helpful", float(e))), None) for e in EFFECTS}
    return {
        "false_promotion": float(shuffled.promoted.any(axis=1).mean()),
        "false_promotion_of_the_same": float(same.promoted.any(axis=1).mean()),
        "power": {e: float(r.promoted.mean()) for e, r in helpful.items()},
        "pairs": float(np.mean([shuffled.pairs.mean(), *(r.pairs.mean() for r in helpful.values())])),
    }


def few_matters(runs: int, matters: int = 21) -> dict[str, Any]:
    """Measure ``paired_sequential`` on as few matters as the contract corpus has, in a cell that does not sample.

    Returns:
        For the rule in force and for one that keeps nothing for the look at the end: ``uneven`` (the share of wholes
        promoted that gain 10, 18 and 25 points unevenly) and ``false_promotion`` (of edits that move matters up and
        down and nothing in the mean, over a run).
    """
    poor = Setting(World(0.35, flips=0.0, collapse=0.0, criteria=18.0), Sizes(confirm=matters), runs, passes=1)
    found = {}
    for name, at_end in (("with a look at the end", RULE.at_end), ("without", 0.0)):
        of = replace(poor, rule=replace(RULE, candidates=FEW, at_end=at_end))
        uneven = {e: _runs(PairedSequential.name, of, _all(("uneven", float(e))), None) for e in UNEVEN}
        shuffled = _runs(PairedSequential.name, of, _all(("shuffle", 0.2), FEW), None)
        found[name] = {
            "uneven": {e: float(r.promoted.mean()) for e, r in uneven.items()},
            "false_promotion": float(shuffled.promoted.any(axis=1).mean()),
        }
    return found


def _mixed(name: str, of: Setting) -> dict[str, Any]:
    offered: list[Sequence[Sequence[Edit]]] = []

    def mixture(rng: Generator, runs: int) -> Sequence[Sequence[Edit]]:
        kinds, weights = list(MIXTURE), np.array(list(MIXTURE.values()))
        drawn = rng.choice(len(kinds), p=weights, size=(runs, STEPS))
        offered.append([[kinds[at] for at in row] for row in drawn])
        return offered[-1]

    took = _runs(name, of, mixture, None)
    kinds = np.array([[edit[0] for edit in run] for chunk in offered for run in chunk])
    return {
        "held_out": float(took.held_out.mean()),
        "apparent": float(took.apparent.mean()),
        "kept": {kind: float(took.promoted[kinds == kind].mean()) for kind, _ in MIXTURE if (kinds == kind).any()},
    }


def _all(edit: Edit, steps: int = 1) -> Offered:
    """Offer one edit in every step of every run."""
    return lambda _, runs: [[edit] * steps] * runs


def _runs(name: str, of: Setting, edits: Offered, watch: Watch | None) -> LearningRuns:
    """Simulate all runs of a setting, a chunk at a time; the watch sees the first."""
    parts: list[LearningRuns] = []
    for at, runs in enumerate(_chunks(of.runs)):
        rng = np.random.default_rng([of.seed, at])
        loop = LOOPS[name](of, watch if at == 0 else None)
        parts.append(ran(loop, of.world, of.sizes, edits(rng, runs), rng))
    return LearningRuns(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _chunks(runs: int) -> Iterator[int]:
    yield from (min(CHUNK, runs - at) for at in range(0, runs, CHUNK))


class _Checker:
    """Makes decisions again with the code that a learning run calls, pair by pair where it asks for more."""

    def __init__(self, name: str) -> None:
        made: dict[str, AcceptancePolicy] = {
            BestSoFar.name: BestSoFar(),
            BlendedMargin.name: BlendedMargin(),
            PairedSequential.name: PairedSequential(replace(RULE, candidates=STEPS)),
        }
        self._policy = made[name]
        self.checked = 0

    def __call__(self, before: Counts, after: Counts, promoted: NDArray[np.bool_]) -> None:
        for run in range(min(CHECKED, len(promoted))):
            incumbent, candidate = (_evaluation(Counts(*(c[run] for c in of))) for of in (before, after))
            decision = decided(self._policy, incumbent, candidate)
            if decision.accepted != promoted[run]:
                raise DisagreementError(f"{self._policy.name}: the simulator says {promoted[run]}, {decision.reason}")
            self.checked += 1


def decided(policy: AcceptancePolicy, incumbent: Evaluation, candidate: Evaluation) -> Decision:
    """Decide as a learning run does: show as many pairs as the policy asks for, until it asks for no more."""
    policy = policy.over(len(candidate.scores))
    shown = policy.sampling.batch or len(candidate.scores)
    while True:
        parts = (e.model_copy(update={"scores": e.scores[:shown]}) for e in (incumbent, candidate))
        decision = policy.decide(*parts)
        if not decision.more or shown >= len(candidate.scores):
            return decision
        shown += decision.more


def _evaluation(of: Counts) -> Evaluation:
    rows = zip(*(column.astype(int).tolist() for column in of), strict=True)
    made = (
        MatterScore(matter_key=str(n), passed=passed, failed=failed, unscored=unscored, tokens=tokens)
        for n, (passed, failed, unscored, tokens) in enumerate(rows)
    )
    return Evaluation(harness_version="simulated", scores=tuple(made))
