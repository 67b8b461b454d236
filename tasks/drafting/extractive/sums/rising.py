"""Periodic sums that rise every year, as they stand on the day that counts."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

from tasks.drafting.extractive.due.triggers import term_end, trigger_day
from tasks.drafting.extractive.due.worked import Worked, cents, named, shown
from tasks.drafting.extractive.sums.asked import Asked
from tasks.drafting.extractive.sums.fits import NAMED
from tasks.drafting.extractive.sums.terms import Term
from tasks.drafting.extractive.term import add
from tasks.drafting.extractive.ways.stated import long_date

LAST = re.compile(
    r"\b(?:holdover|holding over|holds? over)\b|\bafter the (?:term|lease) (?:has )?(?:end|expire)"
    r"|\blast (?:payable|paid|in effect|due)\b|\bthen (?:current|payable)\b|\bpreceding month\b",
    re.I,
)


def risen(asked: Asked, term: Term, base: Worked, day: date) -> Worked | None:
    """Return a periodic sum as it stands on a day under a rule by which it rises every year."""
    reading = next(r for r in asked.room.readings if r.document == term.unit.document)
    match = re.search(r"\banniversary of (?P<start>the [^.,;]{3,40}|[A-Z][\w ]{3,40})", term.says)
    start = trigger_day(match["start"], asked.blank, reading, asked.room) if match else None
    start = start or trigger_day("the Commencement Date", asked.blank, reading, asked.room)
    if start is None:
        return None
    years = 0
    while add(start.day, years + 1, "year") <= day:
        years += 1
    value = cents(base.value * (1 + term.value) ** years)
    factor = (1 + term.value).normalize()
    how = (
        f"{named(base)} × {factor:f}"
        + (f"^{years}" if years != 1 else "")
        + f" ({years} rise{'' if years == 1 else 's'} from {long_date(start.day)} to {long_date(day)})"
        + f" = {shown(value, base.unit)}"
    )
    if not years:
        how = f"{named(base)}; no rise before {long_date(day)}"
    return Worked(
        value, how, tuple(dict.fromkeys((*base.units, term.unit, *start.units))), base.unit, certain=base.certain
    )


def adjusted(asked: Asked, base: Worked, words: str, of: Term) -> Worked:
    """Return a sum as it stands on the day that counts, where a rule says that it rises."""
    for term in asked.room.sums.terms:
        if (
            term.form == "rise"
            and asked.fit(words, term.says) >= NAMED
            and any(u.document == term.unit.document for u in base.units)
            and " = " not in base.arithmetic
        ):
            day = last_day(asked, term) if LAST.search(of.says) else asked.day()
            if day and (made := risen(asked, term, base, day)):
                return made
            return replace(base, certain=False)
    return base


def last_day(asked: Asked, term: Term) -> date | None:
    """Return the last day of the term of a paper."""
    reading = next(r for r in asked.room.readings if r.document == term.unit.document)
    end = term_end(reading, asked.room)
    return end.day - timedelta(days=1) if end else None
