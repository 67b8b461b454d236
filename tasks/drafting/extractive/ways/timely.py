"""Whether something was done in time: the last day of its period against the day on which it was done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from tasks.asks.records import Ask, AskAnswer, AskState, Entry
from tasks.drafting.extractive.due.counting import last_day
from tasks.drafting.extractive.due.search import Period, PeriodSearch
from tasks.drafting.extractive.due.triggers import Trigger, clause_of
from tasks.drafting.extractive.lines import sent_on
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.stated import long_date, span_of, told
from tasks.legaltext.dates.scan import scan_dates

_IN_TIME = re.compile(r"\b(?:in (?:good |due )?time|on time|timely|(?:too|so|out) (?:late|of time)|late)\b", re.I)
_ENOUGH = 0.4  # part of the act that a dated statement must speak of
_CLEAR = 0.9  # another day whose words fit so nearly as well leaves it open
_NEAR = 0.75  # of the best period, how well another must fit whose day is told and that of the best is not
# What was not done, or is only to come: "we have not given notice", "we will report it".
_UNDONE = re.compile(
    r"\b(?:have|has|had|did)\s*(?:not|n[o']t|never)\b|\b(?:have|has|had|did)n't\b|\b(?:will|shall|going to|yet to)\b",
    re.I,
)
_ASKED_FOR = re.compile(r"^\W*please\b|\?\s*$", re.I)


@dataclass(frozen=True)
class _Done:
    score: float
    day: date
    unit: Unit | None


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Compare the day of an act with the last day of its period; None where either is not stated.

    It is always to be verified: that the act had the form that is due, no day tells.
    """
    if not _IN_TIME.search(ask.words):
        return None
    bare = ask.model_copy(update={"words": _without(ask.words), "subject": _without(ask.subject)})
    search = PeriodSearch(bare, room)
    periods = search.periods
    for period in (p for p in periods if p.score >= _NEAR * periods[0].score):
        start = search.start(period)
        due = last_day(period, start, room) if start is not None else None
        if start is not None and due is not None and (done := _done(ask, bare, period, start, room)):
            return _told(ask, period, start, due, done)
    return None


def _without(words: str) -> str:
    """Return the words by which the period and the act are looked for: without the day and whether it was in time."""
    for day in reversed(scan_dates(words)):
        words = f"{words[: day.start]} {words[day.end :]}"
    return " ".join(_IN_TIME.sub(" ", words).split())


def _done(ask: Ask, bare: Ask, period: Period, start: Trigger, room: Room) -> _Done | None:
    """Return the one day on which the act was done: as the request or the papers tell, or that of a message."""
    days = [d for d in scan_dates(ask.words) if d.precision == "day"]
    if len(days) == 1 and days[0].iso != start.day.isoformat():
        return _Done(1.0, date.fromisoformat(days[0].iso), None)
    for acts in (_dated(bare, start, room), _said(bare, room)):
        found = [d for d in acts if d.score >= _ENOUGH and d.day >= start.day and d.unit is not period.unit]
        best = max(found, key=lambda d: d.score, default=None)
        if best is not None:
            return best if len({d.day for d in found if d.score >= _CLEAR * best.score}) == 1 else None
    return None


def _dated(ask: Ask, start: Trigger, room: Room) -> Iterator[_Done]:
    """Yield the dated statements that may be the act, each by its own clause."""
    for event in room.events:
        own = next((r for r in room.ours if r.document == event.document and not r.identity.agreement), None)
        sent = sent_on(own.text) if own is not None else None
        ahead = sent is not None and event.day > sent  # a message tells nothing done after it was sent
        if (
            not ahead
            and not _UNDONE.search(clause_of(event))
            and (event.day != start.day or event.unit not in start.units)
        ):
            yield _Done(room.likeness.fit(ask.subject or ask.words, clause_of(event)), event.day, event.unit)


def _said(ask: Ask, room: Room) -> Iterator[_Done]:
    """Yield what messages do by saying it, on their own day; what they ask for is not done."""
    for reading in (r for r in room.ours if not r.identity.agreement):
        day = sent_on(reading.text)
        for unit in reading.units if day else ():
            past = [d for d in scan_dates(unit.text) if d.precision == "day" and day and d.iso <= day.isoformat()]
            if day and not past and not _ASKED_FOR.search(unit.text) and not _UNDONE.search(unit.text):
                yield _Done(room.likeness.fit(ask.subject or ask.words, unit.text), day, unit)


def _told(ask: Ask, period: Period, start: Trigger, due: tuple[date, str], done: _Done) -> AskAnswer:
    last, how = due
    said = "Yes" if done.day <= last else "No"
    units = [period.unit, *start.units, *([done.unit] if done.unit is not None else [])]
    entry = Entry(
        document=period.unit.document,
        state=AskState.ANSWERED,
        answer=f"{said}: the last day was {long_date(last)}; it was done on {long_date(done.day)}",
        support=tuple(dict.fromkeys(span_of(u) for u in units)),
        basis=f"{how} = {long_date(last)}",
        certain=False,
    )
    return told(ask, [entry], units)
