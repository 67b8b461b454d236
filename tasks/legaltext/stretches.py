"""Stretches of a text as one set of characters: the one place where overlapping stretches are joined."""

from __future__ import annotations

from collections.abc import Iterable

Stretch = tuple[int, int]


def joined(stretches: Iterable[Stretch], gap: int = 0) -> list[Stretch]:
    """Return the stretches in order, with those that overlap or touch joined; empty ones hold nothing and are left out.

    >>> joined([(8, 9), (0, 3), (3, 5), (4, 4), (6, 6)])
    [(0, 5), (8, 9)]
    >>> joined([(0, 3), (4, 5)], gap=1)
    [(0, 5)]

    Args:
        stretches: ``[start, end)`` in characters, in any order.
        gap: Characters between two stretches that still belong to both, such as the line feed between two lines.
    """
    found: list[Stretch] = []
    for start, end in sorted(stretches):
        if start >= end:
            continue
        if found and start <= found[-1][1] + gap:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found
