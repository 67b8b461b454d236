"""Pairs the values of two lists, each at most once, so that as many as can be have a partner."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable


def pair_up(pairs: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return a largest choice of pairs in which no position stands twice, in order of the first position.

    A judge may say that one value of the work product covers two of the reference: only one of them is matched then.
    The number of pairs does not hang on the order in which they are given.

    >>> pair_up([(0, 0), (0, 1), (1, 0)])
    ((0, 1), (1, 0))
    """
    partners: dict[int, list[int]] = {}
    for left, right in sorted(set(pairs)):
        partners.setdefault(left, []).append(right)
    taken: dict[int, int] = {}
    for left in partners:
        _make_room(left, partners, taken)
    return tuple(sorted((left, right) for right, left in taken.items()))


def _make_room(start: int, partners: dict[int, list[int]], taken: dict[int, int]) -> None:
    """Find a partner for ``start``, moving others to other partners where that helps (an augmenting path)."""
    came_from: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        left = waiting.popleft()
        for right in partners[left]:
            if right in came_from:
                continue
            came_from[right] = left
            if right not in taken:
                _move(right, came_from, taken, start)
                return
            waiting.append(taken[right])


def _move(right: int, came_from: dict[int, int], taken: dict[int, int], start: int) -> None:
    mate = {left: r for r, left in taken.items()}
    while True:
        left = came_from[right]
        before = mate.get(left)
        taken[right] = left
        if left == start or before is None:
            return
        right = before
