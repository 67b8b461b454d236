"""Interest for the time that is asked, of that for a year."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from tasks.drafting.extractive.due.triggers import Trigger, trigger_day
from tasks.drafting.extractive.due.worked import Worked
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.sums.asked import Asked
from tasks.drafting.extractive.sums.fits import ENOUGH
from tasks.drafting.extractive.sums.terms import Term
from tasks.drafting.extractive.ways.stated import long_date
from tasks.legaltext.dates.scan import scan_dates

_FROM = re.compile(r"\b(?:from|since|as of)(?: and including)?\s+$", re.I)
_DAILY = re.compile(r"\b(?:per day|a day|per diem|daily|each day|every day)\b", re.I)
_MONTHLY = re.compile(r"\b(?:per month|a month|monthly|each month)\b", re.I)
_YEAR, _MONTH = 360, 30  # days, as the convention 30/360 counts


def for_time(asked: Asked, term: Term, year: Worked) -> Worked | None:
    """Return the interest for the time that is asked, of that for a year."""
    basis = term.basis or 365
    if _DAILY.search(asked.ask.words):
        return replace(
            year,
            value=year.value / basis,
            arithmetic=f"{year.arithmetic} / {basis}",
            certain=year.certain and bool(term.basis),
        )
    if _MONTHLY.search(asked.ask.words):
        return replace(year, value=year.value / 12, arithmetic=f"{year.arithmetic} / 12")
    reading = next(r for r in asked.room.readings if r.document == term.unit.document)
    end = asked.day()
    start = runs_from(asked, term, reading)
    if end is None or start is None or start.day >= end:
        return None
    if term.thirties:
        days = (
            _YEAR * (end.year - start.day.year)
            + _MONTH * (end.month - start.day.month)
            + min(end.day, _MONTH)
            - min(start.day.day, _MONTH)
        )
    else:
        days = (end - start.day).days
    said = f"{days} days from {long_date(start.day)} to {long_date(end)}"
    return replace(
        year,
        value=year.value * days / basis,
        arithmetic=f"{year.arithmetic} × {days}/{basis} ({said})",
        units=(*year.units, *start.units),
        certain=year.certain and bool(term.basis),
    )


def runs_from(asked: Asked, term: Term, reading: SentencedDocument) -> Trigger | None:
    """Return the day from which interest runs."""
    for event in asked.room.events:  # papers that say it outright
        if (
            re.search(
                r"\binterest\b[^.;]{0,60}\b(?:runs|begins|accrues|starts)\b|\bfrom which\b[^.;]{0,40}\binterest\b",
                event.words,
                re.I,
            )
            and asked.fit(asked.ask.words, event.unit.text) > ENOUGH
        ):
            return Trigger(event.day, "", (event.unit,))
    stated = next(
        (d for d in scan_dates(term.says) if d.precision == "day" and _FROM.search(term.says[: d.start])), None
    )
    if stated is not None:
        day = date.fromisoformat(stated.iso)
        return Trigger(day, long_date(day), (term.unit,))
    for match in re.finditer(
        r"\bfrom (?:and including )?(?P<start>(?:the |its )?[^.;,]{3,60}?)(?= (?:until|at|to|through|on)\b"
        r"|[.;,]|$)",
        term.says,
    ):
        if re.search(r"\bdue\b", match["start"]):
            due = due_day(asked)
            if due:
                return due
        if (found := trigger_day(match["start"], asked.blank, reading, asked.room)) is not None:
            return found
    return None


def due_day(asked: Asked) -> Trigger | None:
    """Return the day worked out before on which a sum was due."""
    days = [d for d in asked.room.days.values() if re.search(r"\bdue\b", d.words)]
    return Trigger(days[-1].day, long_date(days[-1].day), days[-1].units) if days else None
