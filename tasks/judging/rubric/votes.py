"""From votes to a verdict: pure rules. What is missing or tied leaves a criterion unscored, never failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from tasks.judging.profiles import Rule
from tasks.judging.records import Vote
from tasks.matter.failures import FailureCause
from tasks.matter.usage import Usage

Status = Literal["pass", "fail", "unscored"]


@dataclass(frozen=True)
class VoteResult:
    """What votes come to.

    Attributes:
        cause: Why nothing was decided; None where something was.
        decisive: The vote that speaks for the decision; None where nobody voted.
    """

    status: Status
    cause: FailureCause | None = None
    decisive: Vote | None = None


def decide(votes: Sequence[Vote], rule: Rule) -> VoteResult:
    """Decide a criterion by the votes of a panel.

    Of each seat and round the last rung of the ladder counts. A seat passes or fails by the majority of its rounds.
    ``all``: one seat that fails decides, and without one a seat that is undecided leaves the criterion unscored.
    ``majority``: more than half of the seats decide. A tie, or votes that are missing where they could decide, decide
    nothing.
    """
    by_seat = groupby(standing(votes), key=lambda vote: vote.seat)
    seats = [_majority([_alone(vote) for vote in of]) for _, of in by_seat]
    return _all(seats) if rule == "all" else _majority(seats)


def standing(votes: Sequence[Vote]) -> list[Vote]:
    """Return the votes that count, by seat and round: each of the last rung that was asked."""
    last = {(v.seat, v.round): v for v in sorted(votes, key=lambda v: v.rung)}
    return [last[place] for place in sorted(last)]


def at_odds(votes: Sequence[Vote]) -> bool:
    """Whether the rounds of one seat disagree: then the larger model of its ladder is asked."""
    return len({v.status for v in votes if v.status != "unscored"}) > 1


def shares(usage: Usage, parts: int) -> list[Usage]:
    """Divide the usage of a call among the criteria that it asked about; the parts add up to it.

    The first has the call itself, and what does not divide.
    """
    columns = ("input_uncached", "cache_read", "cache_write", "output", "calls")
    each = {name: getattr(usage, name) // parts for name in columns} | {"calls": 0, "cost_usd": usage.cost_usd / parts}
    rest = {name: getattr(usage, name) - (parts - 1) * each[name] for name in each}
    return [usage.model_copy(update=rest), *(usage.model_copy(update=each) for _ in range(parts - 1))]


def _alone(vote: Vote) -> VoteResult:
    return VoteResult(vote.status, vote.cause, vote)


def _all(of: Sequence[VoteResult]) -> VoteResult:
    for status in ("fail", "unscored"):
        if found := [one for one in of if one.status == status]:
            return found[0]
    return of[0] if of else _undecided(of)


def _majority(of: Sequence[VoteResult]) -> VoteResult:
    """Decide by more than half of all, those who said nothing counted in."""
    for status in ("pass", "fail"):
        if 2 * len(found := [one for one in of if one.status == status]) > len(of):
            return found[0]
    return _undecided(of)


def _undecided(of: Sequence[VoteResult]) -> VoteResult:
    """Nothing is decided: for the cause of a vote that is missing, else because the votes are tied."""
    missing = next((one for one in of if one.status == "unscored"), None)
    return missing or VoteResult("unscored", FailureCause.JUDGE, of[0].decisive if of else None)
