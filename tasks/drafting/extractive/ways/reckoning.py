"""Days that a sentence leaves to be counted: "ten days after the Separation Date", which is defined elsewhere."""

from __future__ import annotations

import re
from datetime import date

from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.term import add
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.kinds import Line
from tasks.legaltext.fold import straight

_DEFINED = re.compile(
    r"\W{0,3}(?P<side>after|following|from|before|prior to|preceding) (?:the )?"
    r"(?P<term>[A-Z]\w+(?: [A-Z]\w+){0,3})"
)
_BEFORE = frozenset({"before", "prior to", "preceding"})
_BUSINESS = frozenset({"business", "trading"})  # days that need a calendar


def counted_days(line: Line) -> list[tuple[str, Unit]]:
    """Return the days that a sentence counts from a defined date, as statements, with the sentences that define it."""
    found = []
    for window in line.windows:
        match = _DEFINED.match(straight(line.unit.text), window.end)
        if match is None or window.calendar in _BUSINESS or window.unit in ("minute", "hour"):
            continue
        before = match["side"] in _BEFORE
        words = match["term"].split()
        for size in range(len(words), 0, -1):  # a defined term, then whatever is written with a capital behind it
            term = " ".join(words[:size])
            if (origin := _defined(line.reading, term)) is not None:
                start, unit = origin
                day = add(start, -window.n if before else window.n, window.unit)
                side = "before" if before else "after"
                found.append((f"{window.text} {side} the {term} ({_written(start)}) is {_written(day)}", unit))
                break
    return found


def _defined(reading: SentencedDocument, term: str) -> tuple[date, Unit] | None:
    """Return the one date of the sentence that defines a term, and the sentence; None where there is no such one."""
    named = re.compile(rf'"{re.escape(term)}"')
    for unit, text in zip(reading.units, reading.plain, strict=True):
        dates = {d.iso for d in reading.dates_of(unit)} if named.search(text) else set()
        if len(dates) == 1:
            return date.fromisoformat(dates.pop()), unit
    return None


def _written(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"
