"""The days between two events of the papers."""

from __future__ import annotations

import re
from decimal import Decimal

from tasks.asks.records import Ask
from tasks.drafting.extractive.due.worked import Worked
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.sums.fits import CLEAR_RESULT
from tasks.drafting.extractive.ways.events import Event
from tasks.drafting.extractive.ways.stated import long_date

_BETWEEN = re.compile(r"\bhow many (?P<unit>days|weeks)\b.*?\bbetween\s+(?P<first>.+?)\s+and\s+(?P<last>.+)$", re.I)
_HOW_LONG = re.compile(
    r"\bhow (?:long|many (?:days|weeks))\b.*?\b(?:from|after)\s+(?P<first>.+?)\s+(?:to|until|till|did)\s+(?P<last>.+)$",
    re.I,
)
_EVENT = 0.5  # part of an event's name that a dated statement must speak of


def days_between(ask: Ask, room: Room) -> Worked | None:
    """Count the days between two events of the papers."""
    match = _BETWEEN.search(ask.words) or _HOW_LONG.search(ask.words)
    first, last = (_event(match[name], room) for name in ("first", "last")) if match else (None, None)
    if match is None or first is None or last is None or first.day == last.day:
        return None
    days = abs((last.day - first.day).days)
    unit = match["unit"].lower() if "unit" in match.re.groupindex else "days"
    how = f"from {long_date(first.day)} to {long_date(last.day)}: {days} days"
    sure = "unit" in match.re.groupindex
    return Worked(
        Decimal(days) if unit == "days" else Decimal(days) / 7, how, (first.unit, last.unit), unit, certain=sure
    )


def _event(words: str, room: Room) -> Event | None:
    """Return the dated statement of an event; none where two days fit alike."""
    scored = sorted(((room.likeness.fit(words, e.words), e) for e in room.events), key=lambda t: -t[0])
    if not scored or scored[0][0] < _EVENT:
        return None
    rivals = {e.day for s, e in scored if s >= CLEAR_RESULT * scored[0][0]}
    return scored[0][1] if len(rivals) == 1 else None
