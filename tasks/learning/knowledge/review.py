"""Which rows of law are to be read again, and why: the most urgent first, by area."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from knowledge_db import KnowledgeBase
from tasks.matter.base import Record

Why = Literal["changed since", "period not checked", "not checked", "second source alone"]
_URGENCY: tuple[Why, ...] = ("changed since", "period not checked", "not checked", "second source alone")
_PLACE = re.compile(r"\s(?:arts?\.|ss?\.|rr?\.|§+|pt\.|sch\.)\s.*$")


class ReviewRow(Record):
    """A row to be read again.

    Attributes:
        area: The domain of a window; of an authority its instrument.
        entry: The citation of an authority, or the id of a window.
        why: The most urgent reason.
        as_of: Day or year of the law that it tells.
        changed_since: What is known to have changed after that.
    """

    area: str
    entry: str
    why: Why
    as_of: str
    changed_since: str = ""


def review(base: KnowledgeBase) -> tuple[ReviewRow, ...]:
    """Return the rows that were not read in the official text or that changed since: urgent and old ones first."""
    return tuple(sorted(_rows(base), key=lambda row: (_URGENCY.index(row.why), row.area, row.as_of, row.entry)))


def areas(rows: tuple[ReviewRow, ...]) -> dict[str, Counter[Why]]:
    """Return how many rows of each area wait, by reason."""
    found: dict[str, Counter[Why]] = {}
    for row in rows:
        found.setdefault(row.area, Counter())[row.why] += 1
    return found


def _rows(base: KnowledgeBase) -> Iterator[ReviewRow]:
    for window in base.windows:
        standing = base.standings.of(window.model_dump())
        if why := _why(standing.changed_since, standing.verified, "period not checked"):
            yield ReviewRow(area=window.domain, entry=window.window_id, why=why, as_of=standing.as_of,
                            changed_since=standing.changed_since)  # fmt: skip
    for row in base.authorities:
        standing = base.standings.of(row.model_dump())
        if why := _why(standing.changed_since, standing.verified, "not checked"):
            yield ReviewRow(area=_area(row.citation, row.kind), entry=row.citation, why=why, as_of=standing.as_of,
                            changed_since=standing.changed_since)  # fmt: skip


def _why(changed_since: str, verified: str, unchecked: Why) -> Why | None:
    if changed_since:
        return "changed since"
    if verified == "second source":
        return "second source alone"
    return unchecked if verified == "not checked" else None


def _area(citation: str, kind: str) -> str:
    if kind == "case":
        return "cases"
    code = re.match(r"\d+ (?:U\.S\.C\.|C\.F\.R\.)", citation)
    return code[0] if code else _PLACE.sub("", citation)
