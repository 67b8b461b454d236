"""Scores of several work products by item and by group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Literal

from tasks.judging.checklist.records import ChecklistScore, ItemScore
from tasks.legaltext.checklists.definition import Checklist
from tasks.matter.base import Record


class ScoreRow(Record):
    """An item, or a group, over several work products.

    Attributes:
        applicable: How often it applied, and so how many scores there could be.
        unscored: How many of these are missing; no mean counts them.
        score: Mean matching score, from 0 to 1; None where none was scored.
        under: Share of those with a value in the reference in which a value of it has no match.
        over: Share of all work products in which a value has no match in the reference.
    """

    kind: Literal["item", "group"]
    name: str
    title: str
    applicable: int
    unscored: int
    score: float | None
    under: float | None
    over: float | None


def score_rows(checklist: Checklist, scores: Sequence[ChecklistScore]) -> list[ScoreRow]:
    """Return a row for each group, followed by the rows of its items."""
    found = [item for score in scores for item in score.items]
    rows: list[ScoreRow] = []
    for group in checklist.groups:
        rows.append(_row("group", group.id, group.title, [i for i in found if i.group == group.id], len(scores)))
        for item in group.items:
            rows.append(_row("item", item.id, item.title, [i for i in found if i.item == item.id], len(scores)))
    return rows


def _row(kind: Literal["item", "group"], name: str, title: str, items: Sequence[ItemScore], texts: int) -> ScoreRow:
    scored = [i for i in items if i.score is not None]
    wanted = [i for i in scored if i.reference]
    per_text = texts if kind == "item" else len(items)
    return ScoreRow(
        kind=kind,
        name=name,
        title=title,
        applicable=len(items),
        unscored=len(items) - len(scored),
        score=fmean(i.score for i in scored if i.score is not None) if scored else None,
        under=_share((bool(i.missed) for i in wanted), len(wanted)),
        over=_share((bool(i.added) for i in scored), per_text - (len(items) - len(scored))),
    )


def _share(hits: Iterable[bool], among: int) -> float | None:
    return sum(hits) / among if among else None
