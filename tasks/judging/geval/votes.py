"""Two systems set side by side: marks as votes for one, the other or neither, in shares (PAKTON, appendix C.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from tasks.judging.geval.marking import Mark, qualities

Vote = Literal["first", "second", "neither"]
SIDES: tuple[Vote, ...] = ("first", "second", "neither")
Shares = tuple[float, float, float]
"""Shares of the votes for the first, the second and neither; they sum to one."""


def vote(first: Mark, second: Mark) -> Vote | None:
    """Return for whom a pair of marks votes: neither where they are nearer than the tie; None where one is open.

    >>> vote(Mark(value=0.8), Mark(value=0.795)), vote(Mark(value=0.8), Mark(value=0.7))
    ('neither', 'first')
    """
    if first.value is None or second.value is None:
        return None
    difference = first.value - second.value
    if abs(difference) < qualities().tie:
        return "neither"
    return "first" if difference > 0 else "second"


def shares(votes: Sequence[Vote | None]) -> Shares | None:
    """Return the share of each side among the votes that were given; None where none was.

    >>> shares(["first", "first", "neither", None, "second"])
    (0.5, 0.25, 0.25)
    """
    given = [one for one in votes if one is not None]
    if not given:
        return None
    one, two, three = (given.count(side) / len(given) for side in SIDES)
    return one, two, three


def by_criterion(pairs: Sequence[tuple[Mapping[str, Mark], Mapping[str, Mark]]]) -> dict[str, Shares | None]:
    """Return the shares of each criterion over pairs of reports on the same questions."""
    return {
        quality.id: shares([vote(first[quality.id], second[quality.id]) for first, second in pairs])
        for quality in qualities().criteria
    }
