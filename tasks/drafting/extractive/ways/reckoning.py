"""Days that a sentence leaves to be counted: "ten days after the Separation Date", which is defined elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.drafting.extractive.due.triggers import Trigger, day_called, defined_day
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.term import add
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.kinds import Line
from tasks.drafting.extractive.ways.stated import long_date
from tasks.legaltext.fold import straight
from tasks.legaltext.records import Window

_SIDE = r"\W{0,3}(?P<side>after|following|from|before|prior to|preceding) (?:the )?"
_DEFINED = re.compile(rf"{_SIDE}(?P<term>[A-Z]\w+(?: [A-Z]\w+){{0,3}})")
_ITSELF = re.compile(rf"{_SIDE}(?P<itself>date (?:hereof|of (?:this|the) \w+))", re.I)
_BEFORE = frozenset({"before", "prior to", "preceding"})
_BUSINESS = frozenset({"business", "trading"})  # days that need a calendar


def counted_days(line: Line, room: Room) -> list[tuple[str, Unit]]:
    """Return the days that a sentence counts from a stated day, as statements, with the sentences that state it."""
    return [(said, unit) for window in line.windows for said, unit in _counted(window, line, room)]


def _counted(window: Window, line: Line, room: Room) -> Iterator[tuple[str, Unit]]:
    text = straight(line.unit.text)
    match = _DEFINED.match(text, window.end) or _ITSELF.match(text, window.end)
    if match is None or window.calendar in _BUSINESS or window.unit in ("minute", "hour"):
        return
    before = match["side"].lower() in _BEFORE
    term, origin = _origin(match, line, room)
    if origin is not None and origin.units:
        day = add(origin.day, -window.n if before else window.n, window.unit)
        side = "before" if before else "after"
        yield f"{window.text} {side} {term} ({long_date(origin.day)}) is {long_date(day)}", origin.units[0]


def _origin(match: re.Match[str], line: Line, room: Room) -> tuple[str, Trigger | None]:
    """Return how the day is called from which is counted, and the day."""
    if "itself" in match.re.groupindex:
        return f"the {match['itself']}", day_called(match["itself"], line.reading)
    words = match["term"].split()
    for size in range(len(words), 0, -1):  # a defined term, then whatever is written with a capital behind it
        term = " ".join(words[:size])
        if (found := defined_day(term, line.reading, room)) is not None:
            return f"the {term}", found
    return "", None
