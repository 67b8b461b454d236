"""Comparisons: what each document says of one thing, and how they differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from types import MappingProxyType

from tasks.asks.records import Ask, AskAnswer, AskState, Entry
from tasks.drafting.extractive.room import Room, Way
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.numbers.scan import scan_numbers

_DAYS = MappingProxyType({"day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365})
_MOST = re.compile(
    r"\b(?:longer|longest|higher|highest|larger|largest|greater|greatest|bigger|later|latest|more)\b", re.I
)
_LEAST = re.compile(
    r"\b(?:shorter|shortest|lower|lowest|smaller|smallest|earlier|earliest|less|cheaper|cheapest|sooner)\b", re.I
)


def over(way: Way) -> Way:
    """Return a way that applies another way to each document and says how the answers differ."""

    def answer(ask: Ask, room: Room) -> AskAnswer | None:
        names = ask.documents or tuple(r.document for r in room.readings)
        got = way(ask.model_copy(update={"documents": names, "each": True}), room)
        return _compared(ask, got) if got else None

    return answer


def _compared(ask: Ask, got: AskAnswer) -> AskAnswer:
    said = [e for e in got.entries if e.state is AskState.ANSWERED]
    difference = differ(ask.words, said)
    if len(got.entries) < 2 or not difference:
        return got
    return got.model_copy(update={"answer": f"{got.answer}. {difference}" if got.answer else difference})


def differ(words: str, entries: Sequence[Entry]) -> str:
    """Say in a sentence how answers differ, if each gives one value of one kind; else nothing."""
    for read in _READERS:
        values = {e.document: v for e in entries if (v := read(e.answer)) is not None}
        if len(values) == len(entries) > 1:
            return _difference(words, values, entries)
    return ""


def _difference(words: str, values: Mapping[str, Decimal], entries: Sequence[Entry]) -> str:
    if len(set(values.values())) == 1:
        return "They agree."
    top, bottom = max(values, key=lambda d: values[d]), min(values, key=lambda d: values[d])
    word = _MOST.search(words) or _LEAST.search(words)
    if word is None:
        return "They differ."
    wanted = top if _MOST.search(words) else bottom
    if list(values.values()).count(values[wanted]) > 1:
        return "They differ."
    answer = next(e.answer for e in entries if e.document == wanted)
    return f"The {word[0].lower()} is that of {wanted}: {answer}"


def _only(values: Sequence[Decimal]) -> Decimal | None:
    return values[0] if len(set(values)) == 1 else None


def _day(answer: str) -> Decimal | None:
    return _only([Decimal(date.fromisoformat(d.iso).toordinal()) for d in scan_dates(answer) if d.precision == "day"])


def _length(answer: str) -> Decimal | None:
    found = [f for f in scan_numbers(answer) if f.kind == "duration" and f.unit in _DAYS]
    return _only([f.value * _DAYS[f.unit] for f in found])


def _amount(kind: str) -> Callable[[str], Decimal | None]:
    def read(answer: str) -> Decimal | None:
        found = [f for f in scan_numbers(answer) if f.kind == kind]
        return _only([f.value for f in found]) if len({f.unit for f in found}) == 1 else None

    return read


_READERS: tuple[Callable[[str], Decimal | None], ...] = (_day, _length, _amount("money"), _amount("percent"))
