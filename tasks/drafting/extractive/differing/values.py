"""The one value that a sentence states for an ask, in a form that can be compared between sentences."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from types import MappingProxyType

from tasks.drafting.extractive.term import add
from tasks.drafting.extractive.ways.kinds import Line
from tasks.drafting.extractive.ways.notions import Notion, Notions
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.records import DateMention, Figure, Window

_PER = MappingProxyType({"week": 52, "month": 12, "quarter": 4, "year": 1})
_PERIOD = re.compile(r"\b(?:per|each|every|a|an)\s+(week|month|quarter|year)\b|\b(week|month|quarter|year|annual)ly\b"
                     r"|\b(annual)\b|\bper (annum)\b", re.I)  # fmt: skip
_MONTHS = MappingProxyType({"day": 0, "week": 0, "month": 1, "quarter": 3, "year": 12})
_FROM = re.compile(r"\W{0,3}(?:after|following|from|before|prior to)\s+", re.I)
_BACK = re.compile(r"\W{0,3}(?:before|prior to)\b", re.I)
_YEARS = (date(2023, 1, 1), date(2024, 1, 1))  # a common and a leap year before it, for days that name no year
_REACH = 3  # characters between "after" and the day that is counted from


@dataclass(frozen=True)
class SentenceValue:
    """What a sentence states.

    Attributes:
        keys: What it is compared by: two values are the same where they share one.
        bare: A day without its year, by which one is compared that names none.
        shown: It, as the paper writes it; for a day that was counted, with the day.
    """

    keys: frozenset[str]
    shown: str
    bare: frozenset[str] = frozenset()

    def same(self, other: SentenceValue) -> bool:
        """Tell whether two sentences state the same."""
        return bool(self.keys & (other.keys | other.bare) or self.bare & other.keys)


@dataclass(frozen=True)
class _At:
    start: int
    end: int
    value: SentenceValue


def value_in(line: Line, kind: str, asked: Sequence[Notion], notions: Notions) -> SentenceValue | None:
    """Return the value that a sentence states for an ask; None if it states none or several.

    Of several, the one whose words tell most of what is asked: "begins on … and ends on …" has one for each question.
    """
    found = list(_READERS[kind](line))
    if len(found) < 2:
        return found[0].value if found else None
    ends = [0, *(f.end for f in found[:-1])]
    told = [notions.spoken(line.plain[a : f.start]) for a, f in zip(ends, found, strict=True)]
    scores = [sum(1 for n in asked if n.met(t)) for t in told]
    best = max(scores)
    return found[scores.index(best)].value if best and scores.count(best) == 1 else None


def counted_day(text: str, window: Window) -> SentenceValue | None:
    """Return the day on which a period of a sentence ends; None if it is not counted from a day."""
    days = [d for d in scan_dates(text) if d.precision in ("day", "day_of_year")]
    origin = next((d for d in days if _counted_from(text, window, d)), None)
    return _reached(window, origin, text) if origin is not None else None


def _sums(line: Line) -> Iterable[_At]:
    factor = _per_year(line.plain)
    for figure in _once([f for f in line.numbers if f.kind in ("money", "per_share")]):
        keys = {f"{figure.unit} {figure.value.normalize()}"}
        keys |= {f"{figure.unit} {(figure.value * factor).normalize()} a year"} if factor else set()
        yield _At(figure.start, figure.end, SentenceValue(frozenset(keys), figure.text))


def _per_year(text: str) -> Decimal:
    """Return how often in a year a sum is paid; 0 where the sentence does not say, or says it twice."""
    said = {next(g for g in m.groups() if g).lower() for m in _PERIOD.finditer(text)}
    units = {"year" if s in ("annual", "annum") else s for s in said}
    return Decimal(_PER[units.pop()]) if len(units) == 1 else Decimal(0)


def _shares(line: Line) -> Iterable[_At]:
    for figure in _once([f for f in line.numbers if f.kind in ("percent", "bps")]):
        value = figure.value / (100 if figure.kind == "bps" else 1)
        yield _At(figure.start, figure.end, SentenceValue(frozenset({f"{value.normalize()}%"}), figure.text))


def _once(figures: Sequence[Figure]) -> list[Figure]:
    """Return figures without the second half of a pair in words and digits."""
    return [f for n, f in enumerate(figures) if not (f.pair and n and figures[n - 1].value == f.value)]


def _lengths(line: Line) -> Iterable[_At]:
    for window in line.windows:
        months = _MONTHS.get(window.unit, 0) * window.n
        kind = window.calendar if window.calendar in ("business", "trading", "clear") else ""
        days = window.n * (7 if window.unit == "week" else 1)
        key = f"{months} months" if months else f"{days} {window.unit if window.unit == 'hour' else ''} {kind} days"
        yield _At(window.start, window.end, SentenceValue(frozenset({key}), window.text))


def _days(line: Line) -> Iterable[_At]:
    """Yield the days of a sentence; a period counted from a day gives the day on which it ends."""
    mentions = [d for d in scan_dates(line.plain) if d.precision in ("day", "day_of_year")]
    counted: set[int] = set()
    for window in line.windows:
        origin = next((d for d in mentions if _counted_from(line.plain, window, d)), None)
        if origin is not None:
            counted.add(origin.start)
            yield _At(window.start, origin.end, _reached(window, origin, line.plain))
    for mention in mentions:
        if mention.start not in counted:
            yield _At(
                mention.start, mention.end, SentenceValue(frozenset({mention.iso}), mention.text, _bare(mention.iso))
            )


def _counted_from(text: str, window: Window, day: DateMention) -> bool:
    match = _FROM.match(text, window.end)
    return match is not None and 0 <= day.start - match.end() <= _REACH and window.unit not in ("minute", "hour")


def _bare(iso: str) -> frozenset[str]:
    """Return a day without its year; nothing where it has none."""
    return frozenset() if iso[:2] == "--" else frozenset({f"--{iso[5:]}"})


def _reached(window: Window, origin: DateMention, text: str) -> SentenceValue:
    back = bool(_BACK.match(text, window.end))
    n = -window.n if back else window.n
    side = "before" if back else "after"
    if origin.precision == "day":
        day = add(date.fromisoformat(origin.iso), n, window.unit)
        iso = day.isoformat()
        return SentenceValue(frozenset({iso}), f"{window.text} {side} {origin.text}: {_long(day)}", _bare(iso))
    month, number = int(origin.iso[2:4]), int(origin.iso[5:7])
    starts = [y.replace(month=month, day=min(number, monthrange(y.year, month)[1])) for y in _YEARS]
    starts.append(starts[0] - timedelta(days=365))  # a day late in a year leads into the next, leap or not
    reached = sorted({f"--{add(s, n, window.unit).isoformat()[5:]}" for s in starts}, reverse=True)
    shown = " or, in a leap year, ".join(f"{_long(date.fromisoformat('2024' + r[1:]), year=False)}" for r in reached)
    return SentenceValue(frozenset(reached), f"{window.text} {side} {origin.text}: {shown}")


def _long(day: date, *, year: bool = True) -> str:
    return f"{day:%B} {day.day}" + (f", {day.year}" if year else "")


_READERS: Mapping[str, Callable[[Line], Iterable[_At]]] = MappingProxyType(
    {"money": _sums, "percent": _shares, "day": _days, "duration": _lengths}
)
KINDS = tuple(_READERS)
"""Kinds of values that can be compared, the most telling first."""
