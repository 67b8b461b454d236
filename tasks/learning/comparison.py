"""How a candidate is compared with the incumbent: what the policy is shown, and that nothing else is looked at."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from tasks.harness import HarnessRef
from tasks.learning.acceptance import AcceptancePolicy
from tasks.learning.records import Decision, Evaluation, MatterScore, Observation, Signal
from tasks.learning.scores import Floats
from tasks.learning.sequential import differences, promising
from tasks.matter.records import Matter


class Evaluate(Protocol):
    """Runs and judges matters under a harness and returns what was observed, attempt by attempt."""

    def __call__(
        self, harness: HarnessRef, matters: Sequence[Matter], epochs: Sequence[int] = (1,)
    ) -> Sequence[Observation]:
        """Return the observations of each matter in each of these epochs; what was run before is not run again."""
        ...


Pairs = Callable[[HarnessRef, HarnessRef, Sequence[Matter], Sequence[int]], Sequence[tuple[MatterScore, MatterScore]]]
"""Runs matters under two harnesses, each in its epoch, and counts the criteria that both were judged by."""


Told = tuple[str, Signal]  # the opaque key of a matter, and what may be seen of one attempt at it
Signals = Callable[[HarnessRef, Sequence[Matter], Sequence[int]], Sequence[Told]]
"""What the published warehouse lets the learner see of matters under a harness, in these epochs."""


StandIn = Callable[[HarnessRef, Matter], HarnessRef]
"""Gives a harness that works on a matter as another one does, the first of those that it was asked about."""


@dataclass(frozen=True)
class Arena:
    """Where candidates are compared.

    Attributes:
        evaluate: Runs matters under one harness.
        pairs: Runs matters under two; made from ``evaluate`` where it is None.
        signals: What proposers may see of the attempts; redacted here from what was observed where it is None.
        training: Matters on which a candidate is screened.
        confirm: Matters on which it is compared, of which no proposer saw anything.
        samples: Whether the cell may give another work product in another epoch.
        trials: Attempts of a matter; 1 where the cell does not sample.
        seed: Of the orders in which matters come.
        stand_in: See ``reach.py``; every harness stands for itself where it is None.
    """

    evaluate: Evaluate
    pairs: Pairs | None = None
    signals: Signals | None = None
    training: Sequence[Matter] = field(default_factory=tuple)
    confirm: Sequence[Matter] = field(default_factory=tuple)
    samples: bool = False
    trials: int = 1
    seed: int = 0
    stand_in: StandIn | None = None

    @property
    def epochs(self) -> range:
        """The epochs in which the matters of a step are tried."""
        return range(1, self.trials + 1)

    def fresh(self, number: int, at: int) -> int:
        """Return an epoch that no other comparison uses: 0 for screening, then one for each pass, then the slices.

        Where the cell does not sample, a new epoch would be the same attempt again.
        """
        return self.trials + 1 + number * (2 * self.trials + 1) + at if self.samples else 1

    def slice_epochs(self, number: int) -> list[int]:
        """Return the epochs in which the slices of a claim are run: as many as a matter of a step is tried in."""
        tries = self.trials if self.samples else 1
        return [self.fresh(number, self.trials + 1 + at) for at in range(tries)]

    def paired(
        self, incumbent: HarnessRef, candidate: HarnessRef, drawn: Sequence[tuple[Matter, int]]
    ) -> list[tuple[MatterScore, MatterScore]]:
        """Run pairs: matters, each with its epoch, under both harnesses."""
        matters, epochs = [m for m, _ in drawn], [e for _, e in drawn]
        if self.pairs is not None:
            return list(self.pairs(incumbent, candidate, matters, epochs))
        seen = [
            [_score(self.evaluate(harness, [matter], (epoch,))[0]) for matter, epoch in drawn]
            for harness in (incumbent, candidate)
        ]
        return list(zip(*seen, strict=True))

    def gains(self, base: HarnessRef, other: HarnessRef, drawn: Sequence[tuple[Matter, int]]) -> Floats:
        """Return what the other harness gains on each of these, of shape (drawn,); NaN where it cannot be compared.

        A matter that nothing in which the two differ can reach is not run: it gains 0. Nor is one again of which a
        harness was run that differs in nothing that reaches it.
        """
        gains = np.zeros(len(drawn))
        parted: dict[tuple[HarnessRef, HarnessRef], list[int]] = {}
        for at, (matter, _) in enumerate(drawn):
            arms = base, other
            if self.stand_in is not None:
                arms = self.stand_in(base, matter), self.stand_in(other, matter)
            if arms[0] != arms[1]:
                parted.setdefault(arms, []).append(at)
        for (one, two), places in parted.items():
            pairs = self.paired(one, two, [drawn[at] for at in places])
            before, after = evaluations(one, two, pairs)
            gains[places] = differences(before.counts, after.counts).gain
        return gains


def evaluation(harness: HarnessRef, observations: Sequence[Observation]) -> Evaluation:
    """Count verdicts of observations; rates are computed from these counts whenever they are compared."""
    return Evaluation(harness_version=harness.version, scores=tuple(map(_score, observations)))


def _score(seen: Observation) -> MatterScore:
    return MatterScore(
        matter_key=seen.matter_key,
        passed=seen.passed,
        failed=len(seen.failed),
        unscored=seen.unscored,
        tokens=seen.tokens,
    )


def confirmed(
    policy: AcceptancePolicy, incumbent: HarnessRef, candidate: HarnessRef, arena: Arena, number: int, spent: int
) -> Decision:
    """Compare a candidate on fresh pairs until the policy has decided.

    Args:
        policy: One that draws pairs.
        incumbent: The harness without the edit.
        candidate: The harness with it.
        arena: Where they are compared.
        number: Which comparison of the learning run it is, from 0: its epochs and its order are its own.
        spent: Comparisons of the run that came to this test before.
    """
    sampling = policy.sampling
    if sampling.candidates is not None and spent >= sampling.candidates:
        reason = f"the {sampling.candidates} comparisons that the run was planned with are spent"
        return refused(policy, incumbent, candidate, reason)
    screen = _first(policy, arena, number)
    if problem := promising(*evaluations(incumbent, candidate, arena.paired(incumbent, candidate, screen))):
        return refused(policy, incumbent, candidate, problem)
    return decided_on(policy, incumbent, candidate, arena, number)


def decided_on(
    policy: AcceptancePolicy, incumbent: HarnessRef, candidate: HarnessRef, arena: Arena, number: int
) -> Decision:
    """Draw pairs until the policy has decided, or there are no more; see :func:`confirmed`."""
    order = order_of(arena, number)
    policy = policy.over(len(order))
    pairs: list[tuple[MatterScore, MatterScore]] = []
    decision = policy.decide(*evaluations(incumbent, candidate, pairs))
    while decision.more:
        pairs += arena.paired(incumbent, candidate, order[len(pairs) : len(pairs) + decision.more])
        decision = policy.decide(*evaluations(incumbent, candidate, pairs))
    return decision


def screen_of(policy: AcceptancePolicy, arena: Arena, number: int) -> list[tuple[Matter, int]]:
    """Return the training matters on which edits that are to be compared as one are screened.

    All of them where the cell does not sample: those that an edit cannot act on cost nothing.
    """
    return _first(policy, arena, number, every=not arena.samples)


def _first(policy: AcceptancePolicy, arena: Arena, number: int, every: bool = False) -> list[tuple[Matter, int]]:
    shuffled = _shuffled(arena.training, f"screen:{arena.seed}:{number}")
    chosen = shuffled if every else shuffled[: policy.sampling.screen]
    return [(matter, arena.fresh(number, 0)) for matter in chosen]


def order_of(arena: Arena, number: int) -> list[tuple[Matter, int]]:
    """Return the matters of a comparison in the order in which they are drawn, each with its epoch."""
    return [
        (matter, arena.fresh(number, 1 + at))
        for at in range(arena.trials if arena.samples else 1)
        for matter in _shuffled(arena.confirm, f"confirm:{arena.seed}:{number}:{at}")
    ]


def evaluations(
    incumbent: HarnessRef, candidate: HarnessRef, pairs: Sequence[tuple[MatterScore, MatterScore]]
) -> tuple[Evaluation, Evaluation]:
    """Return the two sides of pairs, each in the order in which they were drawn."""
    return (
        Evaluation(harness_version=incumbent.version, scores=tuple(one for one, _ in pairs)),
        Evaluation(harness_version=candidate.version, scores=tuple(other for _, other in pairs)),
    )


def refused(policy: AcceptancePolicy, incumbent: HarnessRef, candidate: HarnessRef, reason: str) -> Decision:
    """Return the refusal of a candidate that was not compared."""
    nothing = evaluations(incumbent, candidate, ())
    asked = policy.decide(*nothing)
    return asked.model_copy(update={"accepted": False, "more": 0, "pairs": 0, "reason": reason})


def _shuffled(matters: Sequence[Matter], seed: str) -> list[Matter]:
    order = sorted(matters, key=lambda m: m.matter_id)
    random.Random(seed).shuffle(order)
    return order
