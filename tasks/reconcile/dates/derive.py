"""Dates that follow from others: a source date plus or minus a source window."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache
from itertools import product
from typing import Final

from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.dates.values import LONGEST_PERIOD
from tasks.legaltext.records import DateMention, Window
from tasks.legaltext.windows.scan import scan_windows
from tasks.reconcile.dates.claims import DateClaim
from tasks.reconcile.dates.match import DateMatch
from tasks.reconcile.dates.sources import BRIEF, Sourced, Sources, length
from tasks.reconcile.deadlines.book import DeadlineBook
from tasks.reconcile.deadlines.gate import compute
from tasks.reconcile.deadlines.months import add_months
from tasks.reconcile.deadlines.records import Counting, Direction, Roll
from tasks.sources.records import Span

# Without one of these words (or the source date and window themselves) beside it, a coincidence would ground any date.
_NEAR: Final = 160
_MOST_BUSINESS_DAYS: Final = 260  # business days of a year: a longer period is counted in months or years
_DATED_REACH: Final = 40  # characters before a date in which "dated" stands; chosen by eye
_TERM_REACH: Final = (200, 80)  # characters around a period that tell whether it is a term; chosen by eye
_KNOWN_YEARS: Final = (1900, 2200)  # for which the calendars are asked
_COUNTED: Final[Mapping[str, Counting]] = {"business": "business", "trading": "business", "clear": "clear"}
_LIKELY: Final[Mapping[str, tuple[str, ...]]] = {
    "business": ("us_federal", "england_wales"),
    "trading": ("nyse",),
    "clear": ("england_wales",),
    "unspecified": ("us_federal", "england_wales"),
}
_TERM: Final = re.compile(
    r"\bterms?\b|\b(?:continue|remain)s?\b|\bexpir|\bterminat|\bin\s(?:full\sforce\sand\s)?effect\b|\bduration\b|"
    r"\brenew|\bmatur|\bcommenc|\buntil\b|\beffective\b|\banniversary\b|\bend(?:s|ing)?\b",
    re.IGNORECASE,
)
_DATED: Final = re.compile(
    r"\b(?:dated|executed|signed|made|entered\sinto)(?:,?\s(?:and\s\w+|(?:as\s)?of|on|the))*\s$", re.IGNORECASE
)
_QUOTE: Final = re.compile('[“"]')
_CUE: Final = re.compile(
    r"\b(?:expir\w*|due|deadline|derived|calculated|computed|counting|plus|minus|renew\w*|term\b|ends?|until|latest|"
    r"last\s(?:day|date)|no\slater|matur\w*)\b|[=+]",
    re.IGNORECASE,
)

_YEAR_END: Final = re.compile(
    r"\b(?:end|close|expiration|remainder|balance|last\sday)\sof\s(?:the|each|such|that|any|its)\s"
    r"(?:(?:then\s)?(?:current|first|initial|same)\s)?(?:calendar\s)?year\b|\bcalendar\syear\b",
    re.IGNORECASE,
)
_PERIODIC: Final = {
    unit: re.compile(
        rf"\b(?:from\s)?{unit}[\s-]to[\s-]{unit}\b|\b(?:successive|consecutive|additional)\s{adverb}\b"
        rf"|\b{adverb}\s(?:terms?|periods?|renewals?|basis|extensions?)\b|\beach\ssuccessive\s{unit}\b",
        re.IGNORECASE,
    )
    for unit, adverb in (
        ("year", "(?:annual|yearly)"),
        ("quarter", "quarterly"),
        ("month", "monthly"),
        ("week", "weekly"),
    )
}


def derive_date(claim: DateClaim, text: str, sources: Sources, book: DeadlineBook) -> DateMatch | None:
    """Show how a claimed date follows from a source date and a source window.

    Both stand in one document; or in two that are cited together, or the day in the brief, where the draft shows both.

    Args:
        claim: A date to the day.
        text: The draft.
        sources: The dates and windows of the sources.
        book: The calendars by which business days are counted.
    """
    if not isinstance(claim.mention, DateMention) or claim.mention.precision != "day":
        return None
    if _DATED.search(text, max(0, claim.mention.start - _DATED_REACH), claim.mention.start):
        return None  # the date of a document stands on it and follows from nothing
    wanted = date.fromisoformat(claim.mention.iso)
    paragraph = _own_words(claim, text)
    cued = _CUE.search(paragraph) is not None
    documents = [d for d in sorted(claim.documents or sources.texts.keys()) if d in sources.texts]
    for document in documents:
        for start, window, due, note in _sums(sources.dates[document], document, sources, paragraph, book):
            if due == wanted and _draft_shows_sum(paragraph, start, window, sources.texts[document], cued=cued):
                spans = (Sourced(document, start).span, Sourced(document, window).span)
                return DateMatch(None, spans, f"{_sum(start, window)}{note} = {wanted}")
    for document, other in product(documents, [*documents, BRIEF] if claim.documents else ()):
        shown = [m for m in sources.dates.get(other, ()) if other != document and m.iso in _days(paragraph)]
        for start, window, due, note in _sums(shown, document, sources, paragraph, book):
            if due == wanted and _names(paragraph, window):
                own = () if other == BRIEF else (Sourced(other, start).span,)
                return DateMatch(
                    None, (*own, Sourced(document, window).span), f"{_sum(start, window)}{note} = {wanted}"
                )
    return _year_end(claim, wanted, sources) if cued else None


def derive_from_shown(
    claim: DateClaim, text: str, shown: Sequence[tuple[DateClaim, DateMatch]], sources: Sources
) -> DateMatch | None:
    """Show how a claimed date follows from a day that the draft derives itself, such as 90 days before a term's end.

    The words around the derived day must name the period.
    """
    if not isinstance(claim.mention, DateMention) or claim.mention.precision != "day":
        return None
    wanted = date.fromisoformat(claim.mention.iso)
    for other, match in shown:
        start = other.mention
        if not isinstance(start, DateMention) or start.precision != "day" or start.iso == claim.mention.iso:
            continue
        words = text[max(0, start.start - _NEAR) : start.end + _NEAR]
        for document in sorted({span.document for span in match.sources} & sources.windows.keys()):
            for window in sources.windows[document]:
                if _shift(date.fromisoformat(start.iso), window) == wanted and _names(words, window):
                    spans = (*match.sources, Sourced(document, window).span)
                    return DateMatch(None, spans, f"{match.derivation}; {_sum(start, window)} = {wanted}")
    return None


def from_words(claim: DateClaim, sources: Sources) -> DateMatch | None:
    """Ground a period that a source states without a number, such as "from year to year" for one year.

    Args:
        claim: Any claim; only windows of one unit can be grounded in this way.
        sources: The sources.
    """
    if not isinstance(claim.mention, Window):
        return None
    unit = {(12, "month"): "year", (3, "month"): "quarter", (1, "month"): "month", (7, "day"): "week"}.get(
        length(claim.mention)
    )
    if unit is None:
        return None
    for document in sorted(claim.documents or sources.texts.keys()):
        match = _PERIODIC[unit].search(sources.texts.get(document, ""))
        if match:
            span = Span(document=document, start=match.start(), end=match.end())
            return DateMatch(None, (span,), f"“{match[0]}” = 1 {unit}")
    return None


def _year_end(claim: DateClaim, wanted: date, sources: Sources) -> DateMatch | None:
    """The end of the calendar year of a source date, where the source speaks of calendar years."""
    if (wanted.month, wanted.day) != (12, 31):
        return None
    for document in sorted(claim.documents or sources.texts.keys()):
        phrase = _YEAR_END.search(sources.texts.get(document, ""))
        starts = [m for m in sources.dates.get(document, ()) if m.precision == "day" and m.iso[:4] == str(wanted.year)]
        if phrase and starts:
            spans = (
                Sourced(document, starts[0]).span,
                Span(document=document, start=phrase.start(), end=phrase.end()),
            )
            return DateMatch(None, spans, f"end of the calendar year of {starts[0].iso} = {wanted}")
    return None


def _sum(start: DateMention, window: Window) -> str:
    sign = "-" if window.direction == "before" else "+"
    return f"{start.iso} {sign} {window.n} {window.unit}{'s' if window.n != 1 else ''}"


def _sums(
    days: Sequence[DateMention], document: str, sources: Sources, words: str, book: DeadlineBook
) -> Iterator[tuple[DateMention, Window, date, str]]:
    """Yield the sums of days and a document's windows; business days and rolling only where the words name a window."""
    starts = {m.iso: m for m in days if m.precision == "day"}.values()
    windows = {(length(w), w.direction, w.calendar): w for w in sources.windows[document]}.values()
    named = {id(window) for window in windows if _names(words, window)}
    for start in starts:
        base = date.fromisoformat(start.iso)
        for window in windows:
            due = _shift(base, window)
            if due is not None:
                yield start, window, due, ""
                if window.unit in {"year", "month", "quarter"} and window.direction != "before":
                    # A year from 1 January ends on 31 December.
                    yield start, window, due - timedelta(days=1), " (last day)"
            if id(window) in named:
                for moved, note in _by_calendar(base, window, due, book):
                    yield start, window, moved, note


def _shift(base: date, window: Window) -> date | None:
    n, unit = length(window)
    if window.calendar in {"business", "trading", "clear"} or unit in {"hour", "minute"} or n > LONGEST_PERIOD:
        return None
    sign = -1 if window.direction == "before" else 1
    try:
        return add_months(base, sign * n) if unit == "month" else base + timedelta(days=sign * n)
    except (OverflowError, ValueError):
        return None


def _by_calendar(base: date, window: Window, due: date | None, book: DeadlineBook) -> Iterator[tuple[date, str]]:
    """Yield where a window ends if counted in business or clear days, or moved off a closed day."""
    if not _KNOWN_YEARS[0] <= (due or base).year <= _KNOWN_YEARS[1]:
        return  # no holidays are known so far off
    direction: Direction = "before" if window.direction == "before" else "after"
    n, unit = length(window)
    counting = _COUNTED.get(window.calendar)
    if counting and unit == "day" and n <= _MOST_BUSINESS_DAYS:
        for calendar in filter(book.calendars.holds, _LIKELY[window.calendar]):
            due = _due_date(book, base, n, counting, calendar, direction, "none")
            yield due, f" ({counting} days, {calendar})"
    elif due is not None:
        back: Roll = "backward" if direction == "before" else "forward"
        for calendar in filter(book.calendars.holds, _LIKELY["unspecified"]):
            rolled = compute(due, book=book, days=0, calendar=calendar, roll=back).due
            if rolled != due:
                yield rolled, f" = {due}, closed: {'back' if rolled < due else 'on'} to the next open day ({calendar})"


@lru_cache(maxsize=8192)
def _due_date(
    book: DeadlineBook, base: date, days: int, counting: Counting, calendar: str, direction: Direction, roll: Roll
) -> date:
    return compute(base, book=book, days=days, counting=counting, calendar=calendar, direction=direction, roll=roll).due


def _own_words(claim: DateClaim, text: str) -> str:
    """Return the draft's own words around the claim, without what it quotes behind the claim."""
    low = max(claim.paragraph[0], claim.mention.start - _NEAR)
    high = min(claim.paragraph[1], claim.mention.end + _NEAR)
    before, after = text[low : claim.mention.start], text[claim.mention.end : high]
    return f"{before} {_QUOTE.split(after, maxsplit=1)[0]}"


def _names(words: str, window: Window) -> bool:
    """Whether the draft's own words say the window, in figures or in words."""
    kind = r"(?:business|working|trading|clear|banking|court)?"
    said = rf"\b{window.n}\)?[\s\-\u2010-\u2014]{{0,3}}{kind}\s?{window.unit}"
    if window.text in words or re.search(said, words, re.IGNORECASE) is not None:
        return True
    return any((w.n, w.unit, w.calendar) == (window.n, window.unit, window.calendar) for w in _windows(words))


@lru_cache(maxsize=256)
def _days(words: str) -> frozenset[str]:
    return frozenset(m.iso for m in scan_dates(words) if m.precision == "day")


@lru_cache(maxsize=256)
def _windows(words: str) -> tuple[Window, ...]:
    return tuple(scan_windows(words))


def _draft_shows_sum(words: str, start: DateMention, window: Window, source: str, *, cued: bool) -> bool:
    """Tell whether the draft shows both parts of the sum, or says that the date follows from a term."""
    if _names(words, window) and (cued or start.text in words or start.iso in words):
        return True
    return (
        cued
        and length(window)[1] == "month"
        and _TERM.search(source[max(0, window.start - _TERM_REACH[0]) : window.end + _TERM_REACH[1]]) is not None
    )
