"""The row of a cell, computed from its ended attempts by the definitions of the warehouse's views."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from flows.runs.orders import Attempt
from tasks.matter.base import Record


class CellSummary(Record):
    """One row of the table of cells; rates from 0 to 1.

    Attributes:
        judge_profile, judge_version: Who scored it; empty where nothing was judged.
        pooled_pass: Passed criteria of all that were scored; None where none was.
        all_pass: Share of matters with every criterion passed; a matter with an unscored criterion is not one.
            None where no criterion was scored.
        attempts: Attempts that count: one for each matter and epoch.
        failed: Those of which every try failed: infrastructure, not work.
        blocked: Attempts whose release was blocked.
        cost_usd: The solver's spend, all tries included.
        seconds: Wall seconds of all tries, added up.
    """

    cell: str
    matters: int
    criteria: int
    pooled_pass: float | None
    all_pass: float | None
    unscored: int
    attempts: int = 0
    failed: int = 0
    blocked: int
    cost_usd: float
    seconds: float
    judge_profile: str = ""
    judge_version: str = ""


def summarize(cell: str, attempts: Sequence[Attempt]) -> CellSummary:
    """Sum up the attempts of one cell, including failed ones."""
    speaking = counted(attempts)
    criteria = sum(a.criteria for a in speaking)
    unscored = sum(a.unscored for a in speaking)
    scored = criteria - unscored
    passed = sum(a.passed for a in speaking)
    shares = [_share(list(of)) for _, of in groupby(speaking, key=lambda a: a.matter_id)]
    judged = [share for share in shares if share is not None]
    return CellSummary(
        cell=cell,
        matters=len(shares),
        criteria=criteria,
        pooled_pass=round(passed / scored, 6) if scored else None,
        all_pass=round(sum(judged) / len(judged), 6) if judged and scored else None,
        unscored=unscored,
        attempts=len(speaking),
        failed=sum(a.outcome == "failed" for a in speaking),
        blocked=sum(a.release_status == "blocked" for a in speaking),
        cost_usd=round(sum(a.usage.cost_usd for a in attempts), 6),
        seconds=round(sum(a.seconds for a in attempts), 3),
        judge_profile=_named(a.judge_profile for a in speaking),
        judge_version=_named(a.judge_version for a in speaking),
    )


def counted(attempts: Iterable[Attempt]) -> list[Attempt]:
    """Return the attempt that counts for each matter and epoch: the first that did not fail, else the last."""
    ordered = sorted(attempts, key=lambda a: (a.matter_id, a.epoch, a.number))
    chosen = []
    for _, of in groupby(ordered, key=lambda a: (a.matter_id, a.epoch)):
        tries = list(of)
        chosen.append(next((a for a in tries if a.outcome != "failed"), tries[-1]))
    return chosen


def _named(names: Iterable[str]) -> str:
    """Return the one name; several only where an earlier Solon mixed them."""
    return ", ".join(sorted({name for name in names if name}))


def _share(epochs: Sequence[Attempt]) -> float | None:
    judged = [a.passed == a.criteria for a in epochs if a.criteria]
    return sum(judged) / len(judged) if judged else None
