"""Two judges, or a judge and people, over the same criteria: all measures in one record, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from tasks.judging.agreement.intervals import cluster_interval
from tasks.judging.agreement.measures import Pair, accuracy, cohen_kappa, confusion, krippendorff_alpha, mcnemar
from tasks.matter.base import Record

Status = Literal["pass", "fail", "unscored"]
Place = tuple[str, str, str]
"""Matter, attempt, criterion."""


class Agreement(Record):
    """How far two judges agree. Criteria that one left unscored are counted and in no measure.

    Attributes:
        first_version, second_version: The version of each judge whose verdicts these are; empty for people.
        compared: Criteria that both scored.
        not_compared: Criteria that one of them alone scored, or neither.
        accuracy: Share of equal verdicts, with its 95 % interval over matters.
        kappa: Cohen's kappa, with its interval.
        alpha: Krippendorff's alpha of the same verdicts.
        mcnemar_p: Whether one of them passes more: the exact two-sided p; None where they never differ.
        passed_first, passed_second: Share that each passed.
        table: Numbers by both verdicts, ``pass/fail`` being a pass of the first and a fail of the second.
    """

    first: str
    second: str
    compared: int
    matters: int
    not_compared: int
    accuracy: float | None
    accuracy_interval: tuple[float, float] | None
    kappa: float | None
    kappa_interval: tuple[float, float] | None
    alpha: float | None
    mcnemar_p: float | None
    passed_first: float | None
    passed_second: float | None
    table: dict[str, int]
    first_version: str = ""
    second_version: str = ""


def compare(
    first: str,
    mine: Mapping[Place, Status],
    second: str,
    theirs: Mapping[Place, Status],
    versions: tuple[str, str] = ("", ""),
) -> Agreement:
    """Compare the verdicts of two judges.

    Args:
        first: Name of the one.
        mine: Its verdicts by matter, attempt and criterion.
        second: Name of the other.
        theirs: Its verdicts.
        versions: Of the two judges.
    """
    asked = sorted(mine.keys() | theirs.keys())
    labels: list[Pair] = [(_scored(mine.get(place)), _scored(theirs.get(place))) for place in asked]
    both = [(place[0], pair) for place, pair in zip(asked, labels, strict=True) if None not in pair]
    pairs, matters = [pair for _, pair in both], [matter for matter, _ in both]
    return Agreement(
        first=first,
        second=second,
        compared=len(pairs),
        matters=len(set(matters)),
        not_compared=len(asked) - len(pairs),
        accuracy=accuracy(pairs),
        accuracy_interval=cluster_interval(pairs, matters, accuracy),
        kappa=cohen_kappa(pairs),
        kappa_interval=cluster_interval(pairs, matters, cohen_kappa),
        alpha=krippendorff_alpha(pairs),
        mcnemar_p=mcnemar(pairs),
        passed_first=_passed([a for a, _ in pairs]),
        passed_second=_passed([b for _, b in pairs]),
        table={f"{a}/{b}": n for (a, b), n in confusion(labels).items()},
        first_version=versions[0],
        second_version=versions[1],
    )


def _scored(status: Status | None) -> str | None:
    return None if status == "unscored" else status


def _passed(labels: Sequence[object]) -> float | None:
    return labels.count("pass") / len(labels) if labels else None
