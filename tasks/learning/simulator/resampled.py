"""The policies on resampled real attempts: their sizes, shapes and ties are what a simulation cannot make up.

Matters are drawn anew from those that two harness versions were really run on. Whether the two attempts of a matter are
exchanged is tossed for: under that null, which holds exactly whatever the attempts look like, nothing is gained.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tasks.learning.acceptance import BestSoFar, BlendedMargin
from tasks.learning.scores import Counts, rates
from tasks.learning.sequential import PROMOTED, RULE, PairedSequential, differences, leading, walk
from tasks.learning.simulator.measure import STEPS

Arm = Literal["nothing", "as it is", "0.05", "0.10"]
ARMS: Final[tuple[Arm, ...]] = ("nothing", "as it is", "0.05", "0.10")
BATCHES: Final[Mapping[str, tuple[BestSoFar | BlendedMargin, int, int]]] = {
    BestSoFar.name: (BestSoFar(), 10, 1),
    BlendedMargin.name: (BlendedMargin(), 24, 3),
}
"""The policies that compare batches, with the matters and the attempts of each that they were used with."""


@dataclass(frozen=True)
class Attempts:
    """Real attempts of the same matters under two harness versions: counts of shape (matters,), in one order."""

    before: Counts
    after: Counts


def measure_resampled(real: Attempts, runs: int, seed: int = 0, pool: int | None = None) -> dict[str, Any]:
    """Measure the policies on resampled attempts.

    Args:
        real: The attempts.
        runs: Runs of ten comparisons each.
        seed: The same seed gives the same numbers.
        pool: Matters of a run, drawn with replacement; as many as there are where it is None, each once.
    """
    measured: dict[str, Any] = {}
    for name in (*BATCHES, PairedSequential.name):
        took = {arm: _took(name, arm, real, runs, np.random.default_rng([seed, at]), pool) for at, arm in _arms()}
        measured[name] = {
            "false_promotion": float(took["nothing"][0].any(axis=1).mean()),
            "power": {arm: float(took[arm][0].mean()) for arm in ARMS[2:]},
            "promoted_as_it_is": float(took["as it is"][0].mean()),
            "pairs": float(np.mean([pairs.mean() for _, pairs in took.values()])),
        }
    return measured


def _arms() -> list[tuple[int, Arm]]:
    return list(enumerate(ARMS))


def described(real: Attempts) -> Mapping[str, float]:
    """Return what the attempts are like: matters, spread of the differences, and share of matters that differ."""
    gain = differences(real.before, real.after).gain
    known = gain[~np.isnan(gain)]
    return {
        "matters": len(gain),
        "comparable": len(known),
        "mean_difference": float(known.mean()),
        "spread": float(known.std()),
        "differ": float((known != 0).mean()),
        "pass_rate": float(np.nanmean(rates(real.after))),
    }


def _took(
    name: str, arm: Arm, real: Attempts, runs: int, rng: Generator, pool: int | None
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Return promotions and pairs of shape (runs, steps)."""
    shape = (runs, STEPS if arm == "nothing" else 1)
    if name in BATCHES:
        policy, matters, trials = BATCHES[name]
        before, after = _drawn(arm, real, rng.integers(len(real.before.passed), size=(*shape, matters)), rng)
        shown = (Counts(*(np.repeat(c, trials, axis=-1) for c in of)) for of in (before, after))
        return policy.promotes(*shown), np.full(shape, float(matters * trials))
    rule, screen = replace(RULE, candidates=STEPS), PairedSequential.sampling.screen
    order = rng.integers(len(real.before.passed), size=(*shape, screen + (pool or 0)))
    if pool is None:  # each matter once: in a deterministic cell a second attempt says nothing new
        every = np.broadcast_to(np.arange(len(real.before.passed)), (*shape, len(real.before.passed)))
        order = rng.permuted(every, axis=-1)
    before, after = _drawn(arm, real, order, rng)
    seen = differences(before, after, rule)
    first, rest = ([c[..., part] for c in seen] for part in (slice(screen), slice(screen, None)))
    went_on = leading(type(seen)(*first), rule)
    ended = walk(type(seen)(*rest), rule.over(rest[0].shape[-1]))
    return went_on & (ended.state == PROMOTED), np.where(went_on, ended.pairs, 0) + float(screen)


def _drawn(arm: Arm, real: Attempts, order: NDArray[np.int64], rng: Generator) -> tuple[Counts, Counts]:
    before, after = (Counts(*(column[order] for column in of)) for of in (real.before, real.after))
    if arm == "as it is":
        return before, after
    turned = rng.random(order.shape) < 0.5
    pairs = [(np.where(turned, b, a), np.where(turned, a, b)) for a, b in zip(before, after, strict=True)]
    base, other = Counts(*(a for a, _ in pairs)), Counts(*(b for _, b in pairs))
    if arm == "nothing":
        return base, other
    gained = np.minimum(other.failed, float(arm) * (other.passed + other.failed))
    return base, other._replace(passed=other.passed + gained, failed=other.failed - gained)
