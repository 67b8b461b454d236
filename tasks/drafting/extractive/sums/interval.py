"""How much time a rule counts: told as such, between two days, or between two hours of a day."""

from __future__ import annotations

import re
from decimal import Decimal

from tasks.drafting.extractive.due.triggers import Trigger, trigger_day
from tasks.drafting.extractive.sums.asked import Asked
from tasks.drafting.extractive.sums.fits import CLEAR, NAMED
from tasks.drafting.extractive.sums.terms import UNITS_OF_TIME, Term
from tasks.drafting.extractive.term import add
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.stated import long_date
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight
from tasks.legaltext.numbers.spelling import words_to_int

_LATE = re.compile(
    r"\b(?P<n>\d+|[a-z-]+) (?P<unit>day|week|month|hour)s? (?:late|overdue|behind|of delay|delayed)\b", re.I
)
_BEYOND = re.compile(
    r"\b(?:beyond|after|past|since|from|later than) (?:and including )?(?P<start>(?:the |its |a )?[^.;,]{3,70})", re.I
)
_CLOCK = re.compile(r"\b(?P<h>\d{1,2})(?::(?P<m>\d\d))?\s*(?P<half>a|p)\.?m\b\.?", re.I)


def span(asked: Asked, term: Term) -> tuple[Decimal, str, tuple[Unit, ...], bool] | None:
    """Return how much time a rule counts: told as such, between two days, or between two hours of a day."""
    if term.each == "hour":
        return hours(asked)
    size = UNITS_OF_TIME[term.each]
    late = [
        (
            asked.fit_of(u.text),
            Decimal(int(m["n"]) if m["n"].isdigit() else words_to_int(m["n"].lower()) or 0)
            * UNITS_OF_TIME[m["unit"].lower()],
            m[0],
            u,
        )
        for u in asked.room.sums.units
        for m in _LATE.finditer(straight(u.text))
        if m["n"].isdigit() or words_to_int(m["n"].lower())
    ]
    late.sort(key=lambda t: -t[0])
    if late and re.search(r"\b(?:late|delay\w*|overdue|fail\w*)\b", term.says, re.I):
        clear = len({x[1] for x in late if x[0] >= CLEAR * late[0][0]}) == 1
        return late[0][1] / size, late[0][2] if size == 1 else f"{late[0][2]} / {size:f}", (late[0][3],), clear
    ends = interval(asked, term)
    if ends is None:
        return None
    start, end = ends
    days = (end.day - start.day).days
    if days <= 0:
        return None
    said = f"{days} days from {long_date(start.day)} to {long_date(end.day)}"
    if term.each in ("month", "year"):
        many = 0
        while add(start.day, many + 1, term.each) <= end.day:
            many += 1
        if term.rounding != "down":
            return None
        return (
            Decimal(many),
            f"{many} ({long_date(start.day)} to {long_date(end.day)})",
            (*start.units, *end.units),
            False,
        )
    return Decimal(days) / size, said if size == 1 else f"{said} / {size:f}", (*start.units, *end.units), True


def interval(asked: Asked, term: Term) -> tuple[Trigger, Trigger] | None:
    """Return the days between which a rule counts."""
    reading = next(r for r in asked.room.readings if r.document == term.unit.document)
    if term.each in ("month", "year"):
        began = re.compile(r"\b(?:began|begun|started|hired|joined|commenced)\b", re.I)
        ended = re.compile(r"\b(?:ends?|ended|terminat\w+|left|last day)\b", re.I)
        first = next((e for e in asked.room.events if began.search(e.words)), None)
        last = next((e for e in reversed(asked.room.events) if ended.search(e.words)), None)
        if first and last:
            return Trigger(first.day, "", (first.unit,)), Trigger(last.day, "", (last.unit,))
        return None
    match = None
    for m in _BEYOND.finditer(term.says):
        match = m if re.search(r"[A-Z]\w+ Date|due|date|day|deadline", m["start"]) else match
    start = trigger_day(match["start"], asked.blank, reading, asked.room) if match else None
    if start is None:
        return None
    day = asked.day()
    if day:
        return start, Trigger(day, "as the request says")
    act = re.search(
        r"\bby which (?:the )?(?P<what>\w+(?: \w+){0,2}?) (?:is|are|was|has been)? ?(?:delayed|late)|\b(?:late"
        r"|delay in|fails? to) (?P<act>\w+(?: \w+)?)",
        term.says,
        re.I,
    )
    wanted = (act["what"] or act["act"]) if act else asked.ask.words
    found = [
        (asked.fit(wanted, e.words), e)
        for e in asked.room.events
        if e.day > start.day and not re.search(r"\b(?:shall|must)\b", e.unit.text)
    ]
    found = sorted((f for f in found if f[0] >= NAMED), key=lambda t: -t[0])
    return (start, Trigger(found[0][1].day, "", (found[0][1].unit,))) if found else None


def hours(asked: Asked) -> tuple[Decimal, str, tuple[Unit, ...], bool] | None:
    """Return the hours between the two times of a day that a sentence tells."""
    found = []
    for unit in asked.room.sums.units:
        times = sorted(
            {
                int(m["h"]) % 12 * 60 + (720 if m["half"].lower() == "p" else 0) + int(m["m"] or 0)
                for m in _CLOCK.finditer(unit.text)
            }
        )
        if len(times) == 2 and scan_dates(unit.text):
            found.append((asked.fit_of(unit.text), Decimal(times[1] - times[0]) / 60, unit))
    found.sort(key=lambda t: -t[0])
    if not found:
        return None
    _, hours, unit = found[0]
    said = " to ".join(m[0] for m in sorted(_CLOCK.finditer(unit.text), key=lambda m: (m["half"].lower(), m.start())))
    return hours, f"{hours.normalize():f} hours, {said}", (unit,), len({h for _, h, _ in found}) == 1
