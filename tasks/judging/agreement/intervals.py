"""Intervals by bootstrap over clusters: criteria of one matter are not independent of each other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")
ROUNDS = 2_000  # drawings: the ends of a 95 % interval are then steady in the second digit


def cluster_interval(
    items: Sequence[T],
    clusters: Sequence[Hashable],
    measure: Callable[[Sequence[T]], float | None],
    level: float = 0.95,
    rounds: int = ROUNDS,
    seed: int = 0,
) -> tuple[float, float] | None:
    """Return the percentile bootstrap interval of a measure, drawing whole clusters with replacement.

    Args:
        items: What is measured.
        clusters: The cluster of each item (a matter), of the same length.
        measure: From drawn items to a figure; draws for which it is None are left out.
        level: Share of draws within the interval.
        rounds: Draws.
        seed: The same seed gives the same interval.

    Returns:
        Lower and upper end; None with fewer than two clusters, of which nothing can be drawn, or where fewer than half
        of the draws have a figure.
    """
    members: dict[Hashable, list[T]] = {}
    for item, cluster in zip(items, clusters, strict=True):
        members.setdefault(cluster, []).append(item)
    if len(members) < 2:
        return None
    groups = list(members.values())
    random = np.random.default_rng(seed)
    draws = random.integers(0, len(groups), size=(rounds, len(groups)))
    figures = [measure([item for i in draw for item in groups[i]]) for draw in draws]
    told = [figure for figure in figures if figure is not None]
    if 2 * len(told) < rounds:
        return None
    low, high = np.quantile(told, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
