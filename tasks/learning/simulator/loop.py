"""Whole learning runs under a policy, many at once: the policies' own functions decide, over arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tasks.learning.acceptance import BestSoFar, BlendedMargin
from tasks.learning.scores import Counts, Floats, pooled
from tasks.learning.sequential import PROMOTED, PairedSequential, differences, leading, walk
from tasks.learning.simulator.world import Kind, Matters, World, attempted, drawn, effect, expected

Edit = tuple[Kind, float]
Watch = Callable[[Counts, Counts, NDArray[np.bool_]], None]
"""Sees what a policy was shown and what it decided of it, for whoever checks the decisions."""


@dataclass(frozen=True)
class Sizes:
    """Matters of a run: to learn from, to compare candidates on, and to report on. Nothing is decided on the last."""

    training: int = 24
    confirm: int = 50
    test: int = 100


class SimulatedStep(NamedTuple):
    """What one step did in each run: shape (runs,)."""

    promoted: NDArray[np.bool_]
    pairs: Floats
    apparent: Floats


class LearningLoop(Protocol):
    """Compares candidates with the incumbents of many runs, step after step."""

    def step(self, now: Matters, then: Matters, rng: Generator) -> SimulatedStep:
        """Decide between ``now`` and ``then`` and keep what a learning run would keep."""
        ...


class StoredIncumbent:
    """The loop of the two papers: the incumbent's attempts are made once and stay what the next candidates must beat.

    Attributes:
        matters: Matters of the gate: 10 (hard-10) or 24 (the dev set of the seed), each attempted ``trials`` times.
    """

    def __init__(
        self, policy: BestSoFar | BlendedMargin, world: World, matters: int, watch: Watch | None = None
    ) -> None:
        self.policy, self._world, self._matters, self._watch = policy, world, matters, watch
        self._kept: Counts | None = None

    def step(self, now: Matters, then: Matters, rng: Generator) -> SimulatedStep:
        """Compare all attempts of the candidate with the stored ones of the incumbent."""
        order = np.tile(np.arange(self._matters), (len(now.rate), self.policy.sampling.trials))
        if self._kept is None:
            self._kept = attempted(self._world, rng, now, order)
        before, after = self._kept, attempted(self._world, rng, then, order)
        promoted = self.policy.promotes(before, after)
        if self._watch:
            self._watch(before, after, promoted)
        self._kept = Counts(*(np.where(promoted[:, None], b, a) for a, b in zip(before, after, strict=True)))
        return SimulatedStep(promoted, np.full(len(promoted), float(order.shape[1])), pooled(after) - pooled(before))


class FreshPairs:
    """The loop of ``paired_sequential``: screen on training matters, then compare fresh pairs on the others."""

    def __init__(
        self, policy: PairedSequential, world: World, sizes: Sizes, passes: int, watch: Watch | None = None
    ) -> None:
        self.policy, self._world, self._sizes, self._passes, self._watch = policy, world, sizes, passes, watch

    def step(self, now: Matters, then: Matters, rng: Generator) -> SimulatedStep:
        """Screen and compare; what a candidate that was screened out would have done is drawn and not looked at."""
        runs, sizes = len(now.rate), self._sizes
        rule = self.policy.rule.over(sizes.confirm * self._passes)
        screen = rng.permuted(np.tile(np.arange(sizes.training), (runs, 1)), axis=1)[:, : self.policy.sampling.screen]
        went_on = leading(differences(*self._pair(now, then, screen, rng), rule), rule)
        dev = np.tile(np.arange(sizes.training, sizes.training + sizes.confirm), (runs, 1))
        order = np.concatenate([rng.permuted(dev, axis=1) for _ in range(self._passes)], axis=1)[:, : rule.most]
        before, after = self._pair(now, then, order, rng)
        ended = walk(differences(before, after, rule), rule)
        decided = ended.state == PROMOTED
        if self._watch:
            self._watch(before, after, decided)
        pairs = np.where(went_on, ended.pairs, 0) + screen.shape[1]
        return SimulatedStep(went_on & decided, pairs.astype(np.float64), ended.mean)

    def _pair(self, now: Matters, then: Matters, order: NDArray[np.int64], rng: Generator) -> tuple[Counts, Counts]:
        return attempted(self._world, rng, now, order), attempted(self._world, rng, then, order)


class LearningRuns(NamedTuple):
    """Learning runs, each of shape (runs,) or (runs, steps).

    Attributes:
        promoted: Whether the edit of a step was promoted.
        pairs: Pairs of attempts that the step took, screening included.
        apparent: What the run believes to have gained: the differences of its promotions, added up.
        held_out: What it gained in truth, on the matters of the test side.
    """

    promoted: NDArray[np.bool_]
    pairs: Floats
    apparent: Floats
    held_out: Floats


def ran(
    loop: LearningLoop, world: World, sizes: Sizes, edits: Sequence[Sequence[Edit]], rng: Generator
) -> LearningRuns:
    """Take the steps of many learning runs.

    Args:
        loop: The policy's loop, without a memory yet.
        world: Where the matters come from.
        sizes: How many there are.
        edits: The edit of each step, in each run.
        rng: Source of chance.
    """
    runs, steps = len(edits), len(edits[0])
    now = start = drawn(world, rng, runs, sizes.training + sizes.confirm + sizes.test)
    taken: list[SimulatedStep] = []
    for at in range(steps):
        then = _edited(now, [edits[run][at] for run in range(runs)], rng)
        step = loop.step(now, then, rng)
        now = _chosen(step.promoted, then, now)
        taken.append(step)
    promoted = np.stack([step.promoted for step in taken], axis=1)
    gains = np.stack([step.apparent for step in taken], axis=1)
    test = slice(sizes.training + sizes.confirm, None)
    return LearningRuns(
        promoted,
        np.stack([step.pairs for step in taken], axis=1),
        np.where(promoted, gains, 0.0).sum(axis=1),
        (expected(now) - expected(start))[:, test].mean(axis=1),
    )


def _edited(now: Matters, edits: Sequence[Edit], rng: Generator) -> Matters:
    then = now
    for kind in sorted(set(edits)):
        chosen = np.array([edit == kind for edit in edits])
        then = _chosen(chosen, effect(*kind, rng, now), then)
    return then


def _chosen(chosen: NDArray[np.bool_], one: Matters, other: Matters) -> Matters:
    return Matters(*(np.where(chosen[:, None], a, b) for a, b in zip(one, other, strict=True)))
