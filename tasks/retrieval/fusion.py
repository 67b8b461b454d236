"""Reciprocal rank fusion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

RRF_K = 60  # the usual constant of reciprocal rank fusion (Cormack et al., 2009)


def ranking(scores: NDArray[np.float32], depth: int, positive: bool = False) -> list[int]:
    """Return the positions of the ``depth`` highest scores, best first; ties go to the earlier position.

    Args:
        scores: One score per item; ``-inf`` leaves an item out.
        depth: How many to return at most.
        positive: Leave out scores that are not above zero.
    """
    order = np.argsort(-scores, kind="stable")[:depth]
    floor = 0.0 if positive else -np.inf
    return [int(i) for i in order if scores[i] > floor]


def fuse(
    rankings: Sequence[Sequence[int]], weights: Sequence[float] | None = None, k: int = RRF_K
) -> list[tuple[int, float]]:
    """Fuse rankings by the sum of ``weight / (k + rank)``, scaled so that first in all of them is 1."""
    weights = list(weights) if weights is not None else [1.0] * len(rankings)
    best = sum(weights) / (k + 1)
    totals: dict[int, float] = {}
    for positions, weight in zip(rankings, weights, strict=True):
        for rank, position in enumerate(positions, start=1):
            totals[position] = totals.get(position, 0.0) + weight / (k + rank)
    if not totals or best <= 0:
        return []
    return sorted(((i, total / best) for i, total in totals.items()), key=lambda pair: (-pair[1], pair[0]))
