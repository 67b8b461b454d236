"""A world with known truth: matters with their own difficulty, noise between attempts, edits with planted effects.

What it is set by: a pooled pass rate of 0.71 and a quarter of the criteria that change between two attempts (reported
for LAB), 60 criteria a matter, and attempts that collapse to zero now and then, as the seed reports ("a few
catastrophic single-trial collapses to zero, not smooth jitter"). Without collapses the pooled rate of ten matters has
a spread of 1.4 points between single passes, which is the figure of the seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.random import Generator

from tasks.learning.scores import Counts, Floats

Kind: TypeAlias = Literal["nothing", "helpful", "harmful", "few", "trap", "skewed", "uneven", "shuffle"]


@dataclass(frozen=True)
class World:
    """How matters and attempts are drawn.

    Attributes:
        pass_rate, spread: Mean and standard deviation of the matters' own pass rates (a beta distribution).
        criteria: Mean number of criteria of a matter; spread as a gamma distribution of shape 6.
        flips: Share of criteria that end otherwise in a second attempt, of a matter of the mean pass rate.
        collapse: Share of attempts that leave nothing to score by: every criterion fails.
    """

    pass_rate: float = 0.71
    spread: float = 0.16
    criteria: float = 60.0
    flips: float = 0.25
    collapse: float = 0.02


class Matters(NamedTuple):
    """Matters of many runs, each of shape (runs, matters).

    Attributes:
        criteria: Number of criteria.
        rate: Pass rate of an attempt that does not collapse, from 0 to 1.
        collapse: Share of attempts that collapse.
    """

    criteria: Floats
    rate: Floats
    collapse: Floats


def drawn(world: World, rng: Generator, runs: int, matters: int) -> Matters:
    """Draw the matters of so many runs."""
    shape = (runs, matters)
    weight = world.pass_rate * (1 - world.pass_rate) / world.spread**2 - 1
    rate = rng.beta(world.pass_rate * weight, (1 - world.pass_rate) * weight, shape)
    criteria = np.maximum(10, rng.gamma(6.0, world.criteria / 6.0, shape).round())
    return Matters(criteria, rate, np.full(shape, world.collapse))


def effect(kind: Kind, size: float, rng: Generator, matters: Matters) -> Matters:
    """Return what the matters become under an edit.

    Args:
        kind: ``nothing``; ``helpful`` and ``harmful``: every matter gains or loses about ``size``, each its own;
            ``few``: the same mean gain, all of it on one matter in five; ``trap``: every matter gains ``size``, and so
            many more attempts collapse that nothing is won in the mean; ``skewed``: so many more that half of ``size``
            is lost in the mean; ``uneven``: two matters in five gain, each its own, one in five loses a fifth of what
            they gain, the others stay (what many edits as one can be in a deterministic cell); ``shuffle``: half of the
            matters gain or lose about ``size``, as many the one as the other (what an edit that does nothing is there).
        size: Mean change of the pass rate, as a positive number.
        rng: Source of chance.
        matters: The matters before the edit.
    """
    rate, collapse = matters.rate, matters.collapse
    if kind == "nothing":
        return matters
    if kind in ("helpful", "harmful"):
        change = size * rng.gamma(4.0, 0.25, rate.shape) * (1 if kind == "helpful" else -1)
        return matters._replace(rate=np.clip(rate + change, 0.0, 1.0))
    if kind == "few":
        return matters._replace(rate=np.clip(rate + 5 * size * (rng.random(rate.shape) < 0.2), 0.0, 1.0))
    if kind == "shuffle":
        change = size * rng.standard_normal(rate.shape) * (rng.random(rate.shape) < 0.5)
        return matters._replace(rate=np.clip(rate + change, 0.0, 1.0))
    if kind == "uneven":
        gain, lot = size / 0.36, rng.random(rate.shape)
        # Four of ten matters gain, two lose a fifth of it: 0.4 - 0.2 * 0.2 = 0.36 of the gain on average.
        change = np.where(lot < 0.4, gain * rng.uniform(0.4, 1.6, rate.shape), np.where(lot < 0.6, -0.2 * gain, 0.0))
        return matters._replace(rate=np.clip(rate + change, 0.0, 1.0))
    better = np.clip(rate + size, 0.0, 1.0)
    least = rate - (size / 2 if kind == "skewed" else 0.0)
    even = 1 - (1 - collapse) * least / np.maximum(better, 1e-9)
    return matters._replace(rate=better, collapse=np.clip(even, 0.0, 1.0))


def expected(matters: Matters) -> Floats:
    """Return the true pass rate of each matter, collapses included."""
    return matters.rate * (1 - matters.collapse)


def attempted(world: World, rng: Generator, matters: Matters, order: np.ndarray | None = None) -> Counts:
    """Attempt matters once each and return the verdict counts.

    Args:
        world: Its ``flips`` says how many criteria are open from one attempt to the next.
        rng: Source of chance.
        matters: What is attempted.
        order: Which matters, of shape (runs, attempts): a matter may come several times. All once where it is None.
    """
    if order is not None:
        matters = Matters(*(np.take_along_axis(column, order, axis=1) for column in matters))
    n, rate = matters.criteria, matters.rate
    # Criteria that pass or fail with even chance make the flips: half of them change between two attempts.
    room = 2 * world.flips / (2 * min(world.pass_rate, 1 - world.pass_rate))
    open_ = np.floor(n * 2 * np.minimum(rate, 1 - rate) * min(1.0, room))
    sure = np.clip(n * rate - open_ / 2, 0.0, n - open_).round()
    passed = sure + rng.binomial(open_.astype(np.int64), 0.5)
    passed = np.where(rng.random(n.shape) < matters.collapse, 0.0, passed)
    nothing = np.zeros_like(passed)
    return Counts(passed, n - passed, nothing, nothing)
