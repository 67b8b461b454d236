"""What happened when: every dated statement of the papers, each day with the words that say what happened on it."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.records import DateMention
from tasks.sources.records import Span

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY = "|".join(_WEEKDAYS)
_ALONE = re.compile(rf"^\s*(?:date|sent|dated)?\s*:?\s*(?:(?:{_WEEKDAY}|mon|tue|wed|thu|fri|sat|sun)\.?,?\s*)?$", re.I)
_AFTER = re.compile(r"^[\s,]*(?:\d{1,2}:\d\d|$)", re.I)
_RELATIVE = re.compile(
    rf"\b(?P<ago>yesterday|last night|the night before)\b|\b(?P<same>today|this morning|this afternoon|tonight)\b"
    rf"|\b(?:on|last|since)\s+(?P<weekday>{_WEEKDAY})\b(?!,?\s+(?:[A-Z]|the\s+\d|\d))",
    re.I,
)
_ENTRY = re.compile(r"\n[ \t]*(?:[-*•>#]+[ \t]*)*(?:\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}/\d{2,4})")
_LABEL = re.compile(r"[ \t]*[A-Z][^:.\n]{2,60}:[ \t]*$")
_SWORN = re.compile(r"^\s*\d{0,2}\s*[QA]\.\s", re.M)
_LEADS = 12  # characters at the head of a sentence in which its date stands before what happened
_TOUCHING = 3  # characters behind a date in which "two days later" is part of it
_HEAD = 600  # characters in which a letter has its own date


@dataclass(frozen=True)
class Event:
    """A day and what is said of it.

    Attributes:
        words: The part of the sentence that belongs to the day.
        told: Who said it, for a message; else empty.
        counted: The words of the source where the day is worked out from them ("yesterday").
    """

    document: str
    unit: Unit
    day: date
    words: str
    span: Span
    told: str = ""
    counted: str = ""


def events_of(reading: SentencedDocument) -> list[Event]:
    """Return the dated statements of a document in reading order; the dates of citations and date lines are none."""
    own = own_dates(reading)
    found: list[Event] = []
    for unit in reading.units:
        mentions = list(_mentions(reading, unit, own))
        for n, (start, end, day, counted) in enumerate(mentions):
            words = _words(reading, unit, start, end, mentions, n)
            if re.search(r"[A-Za-z]{3}", words):
                told = unit.label if "," in unit.label and reading.text.media in ("eml", "msg") else ""
                span = Span(document=reading.document, start=unit.start, end=unit.pieces[-1][1])
                found.append(Event(reading.document, unit, day, words, span, told, counted))
    return found


def own_dates(reading: SentencedDocument) -> list[tuple[int, date]]:
    """Return the days on which the parts of a paper were written: the date line of a letter, of each message."""
    text = reading.text.text
    found = []
    for d in reading.dates:
        line, close = text.rfind("\n", 0, d.start) + 1, text.find("\n", d.end)
        after = text[d.end : close if close >= 0 else len(text)]
        if _ALONE.match(text[line : d.start]) and (_AFTER.match(after) or not after.strip()):
            found.append((d.start, date.fromisoformat(d.iso)))
    return found


def written(reading: SentencedDocument, at: int) -> date | None:
    """Return when the part of a paper at a place was written."""
    own = own_dates(reading)
    before = bisect.bisect_right([start for start, _ in own], at)
    if before:
        return own[before - 1][1]
    head = next((d for d in reading.dates if d.start < _HEAD), None)
    return date.fromisoformat(head.iso) if head else None


def _mentions(
    reading: SentencedDocument, unit: Unit, own: Sequence[tuple[int, date]]
) -> Iterator[tuple[int, int, date, str]]:
    text = reading.text.text
    first, last = unit.pieces[0][0], unit.pieces[-1][1]
    lines = {start for start, _ in own}
    found: list[tuple[int, int, date, str]] = []
    for d in scan_dates(text[first:last]):
        start, end = first + d.start, first + d.end
        day = _day(d, reading, start)
        if day and start not in lines:
            found.append((start, end, day, "" if d.precision == "day" else d.text))
    for match in _RELATIVE.finditer(text, first, last):
        base = written(reading, match.start()) if own else None
        if base is not None and not any(a <= match.start() <= b + _TOUCHING for a, b, _, _ in found):
            found.append((match.start(), match.end(), _relative(match, base), match[0]))
    yield from sorted(found)


def _day(mention: DateMention, reading: SentencedDocument, at: int) -> date | None:
    """Return the day of a date; of one without its year in that of the date before it, but for one told from memory."""
    if mention.precision == "day":
        return date.fromisoformat(mention.iso)
    told = [d.iso for d in reading.dates if d.start < at]
    base = date.fromisoformat(told[-1]) if told and not _SWORN.search(reading.text.text) else None
    if not mention.iso.startswith("--") or len(mention.iso) != 7 or base is None:
        return None
    try:
        return date.fromisoformat(f"{base.year}-{mention.iso[2:]}")
    except ValueError:
        return None


def _relative(match: re.Match[str], base: date) -> date:
    if match["same"]:
        return base
    if match["ago"]:
        return base - timedelta(days=1)
    back = (base.weekday() - _WEEKDAYS.index(match["weekday"].lower())) % 7
    return base - timedelta(days=back or 7)


def _words(
    reading: SentencedDocument, unit: Unit, start: int, end: int, mentions: Sequence[tuple[int, int, date, str]], n: int
) -> str:
    """Return the words that belong to a date.

    In a log they are the entry that the date opens, on a form the line with its label; in a sentence those before the
    date back to the one before, or, where the date leads the sentence, those after it.
    """
    text = reading.text.text
    line, close = text.rfind("\n", 0, start) + 1, _until(text, "\n", end)
    if not text[line:start].strip(" -*#>|\t") and text[end:close].strip(" *:-\t"):
        nexts = [m.start() for m in _ENTRY.finditer(text, end, _until(text, "\n\n", end))]
        return _flat(text[start : nexts[0] if nexts else _until(text, "\n\n", end)])
    if _LABEL.match(text[line:start]) and not text[end:close].strip(" .;"):
        return _flat(text[line:close])
    entry = max((m.start() for m in _ENTRY.finditer(text, text.rfind("\n\n", 0, start) + 1, start)), default=-1)
    if entry >= 0:  # it tells more of what the date of the entry tells
        return _flat(text[max(entry, text.rfind(",", entry, start) + 1) : end])
    first, last = unit.pieces[0][0], unit.pieces[-1][1]
    before = mentions[n - 1][1] if n else first
    after = mentions[n + 1][0] if n + 1 < len(mentions) else last
    if len(mentions) == 1:
        before, after = first, last
    elif start - before < _LEADS and n == 0:
        before = first
    else:
        after = end if n + 1 < len(mentions) else last
    return _flat(text[_below_date_line(text, before, start) : after])


def _below_date_line(text: str, before: int, start: int) -> int:
    """Return where the words of a message begin that stand below its date line."""
    head = text[before:start].rpartition("\n")[0]
    day = next(iter(scan_dates(head)), None)
    return before + len(head) if day and day.precision == "day" and head.strip().endswith(day.text) else before


def _until(text: str, mark: str, start: int) -> int:
    at = text.find(mark, start)
    return at if at >= 0 else len(text)


def _flat(words: str) -> str:
    return " ".join(words.replace("**", " ").split())
