"""Agreement date, effective date and expiration date, stated or derived with the arithmetic shown."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta

from tasks.drafting.extractive.find import Candidate, Found
from tasks.drafting.extractive.reading import Reading
from tasks.drafting.extractive.typed import Typed
from tasks.drafting.extractive.units import Unit
from tasks.sources.scan.records import DateMention, Window
from tasks.sources.scan.windows import scan_windows

_MADE = re.compile(
    r"\b(?:dated|made|entered\s+into|executed|signed|is\s+between|by\s+and\s+between|effective|as\s+of"
    r"|date\s+of)\b[^.;]{0,90}$",
    re.I,
)
_SIGNING = re.compile(r"(?:\bdated?\b\s*:?|\bdate\s+signed|\bsigned|\bexecuted\b[^.]{0,60}|\bthis)\W*$", re.I)
_OTHER = re.compile(
    r"\b(?:amended|original|prior|previous|certain|that)\b[^.;]{0,60}\bagreement\b[^.;]{0,40}dated\b[^.;]{0,20}$"
    r"|\b(?:license|merger|purchase|trust|indenture|separation|distribution)\s+agreement,?\s+dated\b[^.;]{0,20}$"
    r"|\bfiled\b[^.;]{0,40}$|\bact of\b[^.;]{0,10}$|\bincorporated\b[^.;]{0,60}$|\bexpir\w+\b[^.;]{0,20}$",
    re.I,
)
_EFFECTIVE_AFTER = re.compile(
    r"^[^.;]{0,60}\(?[^)]{0,30}[\"“'‘]\s*(?:the )?effective\s+date|^\s*\(?[^.;)]{0,20}\beffective date\b", re.I
)
_EFFECTIVE_BEFORE = re.compile(
    r"(?:\beffective\s+(?:as\s+of|on|from|date(?:\s+of\s+this\s+\w+)?(?:\s+(?:is|shall\s+be|means|of))?)?|\beffective\b"
    r"|\b(?:commenc|begin|start)\w*\b|\bcommencement\s+date\b|\bfrom and after\b"
    r"|\btakes?\s+effect\b)\W*(?:\w+\W+){0,6}$",
    re.I,
)
_EXPIRES_BEFORE = re.compile(
    r"\b(?:until|through|thru|expir\w*|terminat\w*|ends?|ending|up to|to and including|no later than|on or before|to"
    r"|-|–)\b\W*(?:\w+\W+){0,7}$",
    re.I,
)
_TERM = re.compile(
    r"\bterm\b|\bcontinue|\bremain|\bperiod\b|\bexpir|\beffect\b|\bterminat|\bduration\b|\bcommenc", re.I
)
_NOT_TERM = re.compile(
    r"\b(?:notice|cure|breach|default|renew\w*|extend\w*|extension|additional|successive"
    r"|after (?:the )?(?:termination|expiration)"
    r"|surviv\w*|confidential\w*|warrant\w*|payment|invoice|following (?:the )?termination)\b",
    re.I,
)
_FROM_EFFECTIVE = re.compile(r"\beffective date\b|\bcommencement date\b|\bcommenc|\beffective as of\b", re.I)


def agreement_date(reading: Reading, _: Found) -> Typed:
    """Return the date the document bears: of its preamble, else of its signatures."""
    text = reading.text.text
    head = min(len(text), 9000)
    best: tuple[int, DateMention] | None = None
    for mention in reading.dates:
        if mention.start > head:
            break
        before = text[max(0, mention.start - 130) : mention.start]
        points = 0
        if _MADE.search(before):
            points += 4
        if re.search(
            r"\b(?:this|the)\b.{0,80}\b(?:agreement|amendment|contract|license|lease)\b",
            before + text[mention.end : mention.end + 90],
            re.I | re.S,
        ):
            points += 2
        if _OTHER.search(before):
            points -= 5
        if mention.start < 2500:
            points += 1
        if points > 2 and (best is None or points > best[0]):
            best = (points, mention)
    if best is not None:
        return _stated(reading, best[1])
    signed = _signature_dates(reading)
    if signed:
        last = max(signed, key=lambda m: m.iso)
        return _stated(reading, last, "Date of the last signature; the preamble gives none.", certain=False)
    return Typed()


def effective_date(reading: Reading, _: Found) -> Typed:
    """Return the date from which the document takes effect."""
    text = reading.text.text
    best: tuple[int, DateMention] | None = None
    for mention in reading.dates:
        before = text[max(0, mention.start - 110) : mention.start]
        after = text[mention.end : mention.end + 110]
        points = 0
        if (_EFFECTIVE_AFTER.search(after) and not re.match(r"\W{0,3}between", after, re.I)) or re.search(
            r"\beffective\s+date\W+(?:\w+\W+){0,4}$", before, re.I
        ):
            points = 5
        elif _EFFECTIVE_BEFORE.search(before):
            points = 3
        if points and mention.start < 6000:
            points += 1
        if points and _OTHER.search(before):
            points -= 4
        if points > 2 and (best is None or points > best[0]):
            best = (points, mention)
    if best is not None:
        return _stated(reading, best[1])
    made = agreement_date(reading, Found())
    if not made.value:
        return Typed()
    clause = _sentence_with(
        reading, re.compile(r"\beffective date\W{0,4}\s*(?:means|shall mean|is|shall be)\b|\"effective date\"", re.I)
    )
    note = "No other effective date is stated; the document speaks from its own date."
    if clause is not None:
        note = "The effective date is defined by reference to the date of the agreement."
    return Typed(made.value, made.day, note, ((clause,) if clause else ()) + made.support, certain=clause is not None)


def expiration_date(reading: Reading, found: Found) -> Typed:
    """Return the date on which the initial term ends: stated, or counted from the date it runs from."""
    ranked = sorted(found.chosen, key=lambda c: (-c.score, c.unit.start)) or _term_sentences(reading)
    for candidate in ranked:
        stated = _stated_end(reading, candidate.unit)
        if stated is not None:
            return Typed(stated.iso, date.fromisoformat(stated.iso), support=(candidate.unit,))
    for candidate in ranked:
        derived = _derived_end(reading, candidate.unit)
        if derived.value:
            return derived
    for candidate in ranked[:1]:
        if re.search(
            r"\b(?:until (?:terminated|cancell?ed|either)|indefinite|perpetual|perpetuity|terminated (?:by"
            r"|in accordance|as provided))",
            candidate.unit.text,
            re.I,
        ):
            return Typed("No fixed date: the term runs until terminated", support=(candidate.unit,))
        return Typed("No calendar date is stated", support=(candidate.unit,), certain=False)
    return Typed()


def add(start: date, n: int, unit: str) -> date:
    """Return the date ``n`` units after ``start``; a month's end stays within the month."""
    if unit in {"day", "week"}:
        return start + timedelta(days=n * (7 if unit == "week" else 1))
    months = n * {"month": 1, "quarter": 3, "year": 12}[unit]
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    return date(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))


def _stated(reading: Reading, mention: DateMention, note: str = "", *, certain: bool = True) -> Typed:
    unit = _unit_at(reading, mention.start)
    return Typed(mention.iso, date.fromisoformat(mention.iso), note, (unit,) if unit else (), certain)


def _unit_at(reading: Reading, offset: int) -> Unit | None:
    return next((u for u in reading.units if u.pieces[0][0] <= offset < u.pieces[-1][1]), None)


def _sentence_with(reading: Reading, pattern: re.Pattern[str]) -> Unit | None:
    return next((u for u, t in zip(reading.units, reading.plain, strict=True) if pattern.search(t)), None)


def _signature_dates(reading: Reading) -> list[DateMention]:
    text = reading.text.text
    return [
        m for m in reading.dates if m.start > len(text) * 0.5 and _SIGNING.search(text[max(0, m.start - 80) : m.start])
    ]


def _term_sentences(reading: Reading) -> list[Candidate]:
    return [
        Candidate(u, 1.0)
        for u, t in zip(reading.units, reading.plain, strict=True)
        if re.search(r"\bterm\b|\bduration\b", u.heading, re.I) and _TERM.search(t)
    ][:3]


def _stated_end(reading: Reading, unit: Unit) -> DateMention | None:
    text = reading.text.text
    if not _TERM.search(unit.text):
        return None
    for mention in reading.dates_of(unit):
        before = text[max(unit.start, mention.start - 70) : mention.start]
        if _EXPIRES_BEFORE.search(before):
            return mention
    return None


def _derived_end(reading: Reading, unit: Unit) -> Typed:
    if not _TERM.search(unit.text):
        return Typed()
    made, effective = agreement_date(reading, Found()), effective_date(reading, Found())
    inner = reading.dates_of(unit)
    for window in _windows(unit):
        if inner:
            start, origin = date.fromisoformat(inner[0].iso), "the date stated in the clause"
        elif _FROM_EFFECTIVE.search(unit.text) and effective.day:
            start, origin = effective.day, "the effective date"
        elif made.day:
            start, origin = made.day, "the date of the agreement"
        else:
            continue
        end = add(start, window.n, window.unit)
        plural = "" if window.n == 1 else "s"
        note = f"Derived: {window.n} {window.unit}{plural} from {origin}, {start.isoformat()}."
        return Typed(end.isoformat(), end, note, (unit,), certain=False)
    if re.search(r"\bend of (?:the |this )?(?:current |then.current )?calendar year\b", unit.text, re.I) and made.day:
        end = date(made.day.year, 12, 31)
        return Typed(
            end.isoformat(),
            end,
            f"Derived: end of the calendar year of {made.day.isoformat()}.",
            (unit,),
            certain=False,
        )
    return Typed()


def _windows(unit: Unit) -> Iterator[Window]:
    for window in scan_windows(unit.text):
        if window.unit not in {"year", "month", "day", "week"} or window.n <= 0 or window.n > 1200:
            continue
        around = unit.text[max(0, window.start - 50) : window.end + 40]
        if window.unit in {"day", "week"} and re.search(r"notice|prior|cure", around, re.I):
            continue
        near = unit.text[max(0, window.start - 60) : window.start]
        if not re.search(r"\b(?:renew|extend|extension|additional|successive|notice|prior|confidential)", near, re.I):
            yield window
