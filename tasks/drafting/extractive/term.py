"""When the initial term ends: as stated, or counted from its starting date, with the arithmetic shown."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from tasks.drafting.extractive.dates import agreement_date, effective_date
from tasks.drafting.extractive.find_provision import Candidate, Found
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.typed_value import Typed
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.records import DateMention, Window
from tasks.legaltext.windows.scan import scan_windows

_EXPIRES_BEFORE = re.compile(
    r"(?:\b(?:until|through|thru|expir\w*|terminat\w*|ends?|ending|up to|to and including|no later than|on or before|to"
    r"|extended)\b|[-–—])\W*(?:\w+\W+){0,7}$",
    re.I,
)
_EXPIRES_DEFINED = re.compile(
    r"\b(?:expiration|expiry|termination|end) date\"?\)?\W*(?:means|shall mean|is"
    r"|shall be|:)",
    re.I,
)
_TERM = re.compile(
    r"\bterm\b|\bcontinue|\bremain|\bperiod\b|\bexpir|\beffect\b|\bterminat|\bduration\b|\bcommenc|\bvalid\b"
    r"|\bbegin",
    re.I,
)
_FROM_EFFECTIVE = re.compile(r"\beffective date\b|\bcommencement date\b|\bcommenc|\beffective as of\b", re.I)
_ANNIVERSARY = re.compile(
    r"\b(?P<n>first|second|third|fourth|fifth|sixth|seventh|tenth|\d{1,2}(?:st|nd|rd"
    r"|th)) (?:\(\w+\) )?(?:annual )?anniversary",
    re.I,
)
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_OPEN_ENDED = re.compile(
    r"\b(?:until (?:\w+ ){0,3}(?:terminated|cancell?ed|either)|indefinite|perpetual|perpetuity"
    r"|terminated (?:by|in accordance|as provided|pursuant))",
    re.I,
)
_NOT_THE_TERM = re.compile(
    r"\b(?:renew\w*|extend|extension|additional|successive|notice|prior"
    r"|confidential\w*)\b",
    re.I,
)
_INTERIM = re.compile(r"\b(?:notice|cure|breach|prior to|within|remed|default)\b", re.I)


def expiration_date(reading: SentencedDocument, found: Found) -> Typed:
    """Return the date on which the initial term ends."""
    ranked = sorted(found.chosen, key=lambda c: (-c.score, c.unit.start))
    ranked += [c for c in _term_sentences(reading) if all(c.unit is not r.unit for r in ranked)]
    defined = _defined(reading)
    if defined is not None:
        return defined
    for candidate in ranked:
        for reached in (_stated_end(reading, candidate.unit), _derived_end(reading, candidate.unit)):
            if reached.value:
                return reached
    for candidate in ranked[:4]:
        if _OPEN_ENDED.search(candidate.unit.text):
            return Typed("No fixed date: the term runs until terminated", support=(candidate.unit,))
    if found.chosen:
        return Typed("No calendar date is stated", support=(ranked[0].unit,), certain=False)
    return Typed()


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
        if re.search(r"\bterm\b|\bduration\b", u.heading, re.I) and _TERM.search(t)
    ][:4]


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
        if _EXPIRES_BEFORE.search(text[max(unit.start, mention.start - 70) : mention.start]):
            return Typed(mention.iso, date.fromisoformat(mention.iso), support=(unit,))
    return Typed()


def _derived_end(reading: SentencedDocument, unit: Unit) -> Typed:
    if not _TERM.search(unit.text):
        return Typed()
    inner = reading.dates_of(unit)
    for n, kind, words in _lengths(unit):
        origin = _origin(reading, words, inner)
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


def _lengths(unit: Unit) -> Iterator[tuple[int, str, str]]:
    """Yield the possible lengths of the term, with the words that say when it starts."""
    for match in _ANNIVERSARY.finditer(unit.text):
        word = match["n"].lower()
        n = _ORDINALS.index(word) if word in _ORDINALS else int(re.sub(r"\D", "", word))
        yield n, "year", unit.text[match.end() : match.end() + 60]
    for window in scan_windows(unit.text):
        if _may_be_term(unit.text, window):
            yield window.n, window.unit, unit.text


def _may_be_term(text: str, window: Window) -> bool:
    if window.unit not in {"year", "month", "day", "week"} or not 0 < window.n <= 1200:
        return False
    around = text[max(0, window.start - 50) : window.end + 40]
    if window.unit in {"day", "week"} and _INTERIM.search(around):
        return False
    return not _NOT_THE_TERM.search(text[max(0, window.start - 60) : window.start])


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
