"""When the initial term ends: as stated, or counted from its starting date, with the arithmetic shown."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from tasks.drafting.extractive.dates import agreement_date, effective_date
from tasks.drafting.extractive.find_provision import Candidate, Found
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.term_words import (
    among_several,
    ends_here,
    event_end,
    lengths,
    says_how_long,
    starting_event,
)
from tasks.drafting.extractive.typed_value import Typed
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.fold import straight
from tasks.legaltext.records import DateMention

_EXPIRES_DEFINED = re.compile(
    r"\b(?:expiration|expiry|termination|end) date\"?\)?\W*(?:means|shall mean|is"
    r"|shall be|:)",
    re.I,
)
_TERM = re.compile(
    r"\bterm\b|\bcontinue|\bremain|\bperiod\b|\bexpir|\beffect(?:ive)?\b|\bterminat|\bduration\b|\bcommenc|\bvalid\b"
    r"|\bbegin|\bextend",
    re.I,
)
_FROM_EFFECTIVE = re.compile(r"\beffective date\b|\bcommencement date\b|\bcommenc|\beffective as of\b", re.I)
# "Unless earlier terminated as provided below" stands aside of a term that has an end of its own.
_OPEN_ENDED = re.compile(
    r"\b(?:until (?:\w+ ){0,3}(?:terminated|cancell?ed|either)|indefinite|perpetual|perpetuity"
    r"|(?<!unless )(?<!earlier )(?<!sooner )(?<!otherwise )terminated (?:by|in accordance|as provided|pursuant))",
    re.I,
)
UNREAD = "Term clause without an end that can be reckoned"
_ENDS_REACH = 70  # characters before a date in which it is told that the term ends there; chosen by eye


def expiration_date(reading: SentencedDocument, found: Found) -> Typed:
    """Return the date on which the initial term ends."""
    ranked = sorted(found.chosen, key=lambda c: (-c.score, c.unit.start))
    ranked += [c for c in _term_sentences(reading) if all(c.unit is not r.unit for r in ranked)]
    ranked.sort(key=lambda c: not says_how_long(straight(c.unit.text)))  # stable: else by weight
    defined = _defined(reading)
    if defined is not None:
        return defined
    for candidate in ranked:
        for reached in (_stated_end(reading, candidate.unit), _derived_end(reading, candidate.unit)):
            if reached.value:
                return _qualified(reached, candidate.unit)
    return _no_day(reading, ranked, found)


def _qualified(reached: Typed, unit: Unit) -> Typed:
    """Return an end with what the clause makes of it, where it takes the longer or the shorter of several."""
    said = among_several(unit.text)
    return replace(reached, note=f"{reached.note} {said}".strip(), certain=False) if said else reached


def _no_day(reading: SentencedDocument, ranked: Sequence[Candidate], found: Found) -> Typed:
    """Return by what a term ends that ends on no day: its termination, or the event that the clause names."""
    for candidate in ranked[:4]:
        if _OPEN_ENDED.search(candidate.unit.text):
            return Typed("Until terminated, without a fixed day", support=(candidate.unit,))
    for candidate in ranked[:2]:
        counted = _from_an_event(reading, candidate.unit)
        if counted is not None:
            return counted
        event = event_end(straight(candidate.unit.text))
        if event:
            return Typed(f"By event: {event}", support=(candidate.unit,), certain=False)
    return Typed(UNREAD, support=(ranked[0].unit,), certain=False) if found.chosen else Typed()


def _from_an_event(reading: SentencedDocument, unit: Unit) -> Typed | None:
    """Return a term that runs from an event without a day, and when it ends if that was the effective date."""
    for n, kind, behind, _ in lengths(unit):
        event = starting_event(behind)
        if not event:
            continue
        length = f"{n} {kind}{'' if n == 1 else 's'}"
        start = effective_date(reading, Found()).day
        until = f"; from the effective date it would be {add(start, n, kind).isoformat()}" if start else ""
        note = f"The day of the {event} is not stated{until}."
        return Typed(f"By event: {length} from the {event}", note=note, support=(unit,), certain=False)
    return None


def add(start: date, n: int, unit: str) -> date:
    """Return the date ``n`` units after ``start``; a month's end stays within the month."""
    if unit in {"day", "week"}:
        return start + timedelta(days=n * (7 if unit == "week" else 1))
    months = n * {"month": 1, "quarter": 3, "year": 12}[unit]
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    return date(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))


def _term_sentences(reading: SentencedDocument) -> list[Candidate]:
    return [
        Candidate(u, 1.0)
        for u, t in zip(reading.units, reading.plain, strict=True)
        if says_how_long(t) or (re.search(r"\bterm\b|\bduration\b", u.heading, re.I) and _TERM.search(t))
    ][:6]


def _defined(reading: SentencedDocument) -> Typed | None:
    """Return the end of the term where the document defines an expiration date by a calendar date."""
    for unit, text in zip(reading.units, reading.plain, strict=True):
        inner = reading.dates_of(unit) if _EXPIRES_DEFINED.search(text) else []
        if inner:
            return Typed(inner[0].iso, date.fromisoformat(inner[0].iso), support=(unit,))
    return None


def _stated_end(reading: SentencedDocument, unit: Unit) -> Typed:
    if not _TERM.search(unit.text):
        return Typed()
    text = reading.text.text
    for mention in reading.dates_of(unit):
        if ends_here(text[max(unit.start, mention.start - _ENDS_REACH) : mention.start]):
            return Typed(mention.iso, date.fromisoformat(mention.iso), support=(unit,))
    return Typed()


def _derived_end(reading: SentencedDocument, unit: Unit) -> Typed:
    if not _TERM.search(unit.text):
        return Typed()
    inner = reading.dates_of(unit)
    for n, kind, behind, words in lengths(unit):
        event = starting_event(behind)
        origin = _defined_day(reading, event) if event else _origin(reading, words, inner)
        if origin is None:
            continue
        start, name = origin
        end = add(start, n, kind)
        note = f"Derived: {n} {kind}{'' if n == 1 else 's'} from {name}, {start.isoformat()}."
        return Typed(end.isoformat(), end, note, (unit,), certain=False)
    made = agreement_date(reading, Found()).day
    if re.search(r"\bend of (?:the |this )?(?:current |then.current )?calendar year\b", unit.text, re.I) and made:
        end = date(made.year, 12, 31)
        note = f"Derived: end of the calendar year of {made.isoformat()}."
        return Typed(end.isoformat(), end, note, (unit,), certain=False)
    return Typed()


def _defined_day(reading: SentencedDocument, term: str) -> tuple[date, str] | None:
    """Return the day that the document gives a defined term ("Launch Date"), and its name; None where it gives none."""
    named = re.compile(rf'"(?:the )?{re.escape(term)}"', re.I)
    for unit, text in zip(reading.units, reading.plain, strict=True):
        inner = reading.dates_of(unit) if named.search(text) else []
        if len({d.iso for d in inner}) == 1:
            return date.fromisoformat(inner[0].iso), f"the {term}"
    return None


def _origin(reading: SentencedDocument, words: str, inner: Sequence[DateMention]) -> tuple[date, str] | None:
    """Return the date from which a term runs, and its name."""
    made, effective = agreement_date(reading, Found()).day, effective_date(reading, Found()).day
    if re.search(
        r"\bdate (?:hereof|of (?:this|the) agreement|first (?:set forth|written|above)"
        r"|of (?:its )?execution)",
        words,
        re.I,
    ):
        return (made, "the date of the agreement") if made else None
    if _FROM_EFFECTIVE.search(words) and effective and not inner:
        return effective, "the effective date"
    if inner:
        return date.fromisoformat(inner[0].iso), "the date stated in the clause"
    if effective:
        return effective, "the effective date"
    return (made, "the date of the agreement") if made else None
