"""Scale stated outside the digits: "(in thousands)" over a table."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from tasks.legaltext.numbers.numerals import Token
from tasks.legaltext.numbers.units import CURRENCY_MARKS, CURRENCY_NAMES, alternation

_SIGN = r"(?:(?:us|a|c|hk|s)?\$|[€£¥₹]|eur|usd|gbp|chf|jpy|inr)"
_HINT = re.compile(
    r"(?:\bin|expressed in|stated in)\s+(?:[a-z.$€£¥]{1,12}\s+){0,3}"
    r"(?P<word>thousands|millions|billions|000s|000'?s|crores?|lakhs?|lacs?|mio\b\.?|mrd\b\.?|tsd\b\.?|tausend|millionen)(?![a-z])"
    r"|\b(?P<mark>teur|t€|keur|k€|tchf|meur|m€)(?![a-z]|\s?\d)"
    r"|(?P<thousands>[$€£¥]\s?['’]?000s?\b|['’]000s?\b)"
)
_CELL_HINT = re.compile(  # "(US$ m)", "(£ million)", and "£m" alone in a cell
    rf"[(|\t\n] ?{_SIGN}\s?(?P<short>m|mm|mn|k|bn|millions?|thousands?|billions?|crores?|lakhs?) ?(?=[)|\t\n]|$)"
)
_STEMS = (
    "thousand",
    "million",
    "billion",
    "000",
    "crore",
    "lakh",
    "lac",
    "mio",
    "mrd",
    "tsd",
    "tausend",
    "teur",
    "t€",
    "keur",
    "k€",
    "tchf",
    "meur",
    "m€",
)
_MULTIPLIER: Final[Mapping[str, int]] = {
    "thousands": 1000,
    "000s": 1000,
    "000's": 1000,
    "k": 1000,
    "thousand": 1000,
    "tsd": 1000,
    "tausend": 1000,
    "mio": 10**6,
    "million": 10**6,
    "millionen": 10**6,
    "mrd": 10**9,
    "billion": 10**9,
    "lakh": 10**5,
    "lakhs": 10**5,
    "lac": 10**5,
    "lacs": 10**5,
    "crore": 10**7,
    "crores": 10**7,
    "meur": 10**6,
    "m€": 10**6,
    "millions": 10**6,
    "m": 10**6,
    "mm": 10**6,
    "mn": 10**6,
    "billions": 10**9,
    "bn": 10**9,
}
_GERMAN = re.compile(r"\b(?:teur|t€|tchf|mio|mrd|tsd|tausend|millionen)\b")
_CURRENCY = re.compile(rf"(?<![a-z])[tkm]?(?:{alternation(CURRENCY_MARKS)})|{alternation(CURRENCY_NAMES)}")
_EXEMPT = re.compile(r"per[\s-](?:share|unit|common|ads)|\bshares\b|headcount|employees|number of")
_LONGEST_TABLE = 40_000  # characters up to which "in thousands" reaches; bounds a table without an end
# Characters; chosen by eye, not measured.
_BRACKET = 60  # before "in thousands" in which its bracket opens
_HEAD_LINE = 100  # of a line without brackets that scales a table; in a longer one it is prose
_HINT_BEFORE, _HINT_BEHIND = 56, 16  # of a stem, in which the whole of a hint stands
_PROSE = 90  # of a line from which on it is prose, where a table ends
_THOUSANDS_POINT = re.compile(r"\d{1,3}(?:\.\d{3})+")


_BEHIND = re.compile(
    r"\)?,? ?\((?:(?:us|a|c|hk|s)?\$ ?|[€£¥₹] ?)?(?:expressed |stated )?in "
    r"(?P<word>thousands|millions|billions|crores?|lakhs?)\)"
)


def scale_behind(low: str, token: Token) -> None:
    """Apply "(in thousands)" that stands right behind an amount of prose."""
    match = (
        _BEHIND.match(low, token.end)
        if token.kind == "money" and low.find("(", token.end, token.end + 4) >= 0
        else None
    )
    if match is not None and token.table_scale == token.scaled == 1:
        token.table_scale = Decimal(_MULTIPLIER[match["word"]])
        token.value *= token.table_scale


@dataclass(frozen=True)
class Region:
    """A table ``[start, end)`` whose figures are stated in multiples."""

    start: int
    end: int
    multiplier: Decimal
    unit: str
    continental: bool = False

    def apply(self, low: str, token: Token) -> None:
        """Scale a figure of the table."""
        if self.continental and _THOUSANDS_POINT.fullmatch(low, token.core_start, token.core_end):
            token.value = Decimal(low[token.core_start : token.core_end].replace(".", ""))
        token.value *= self.multiplier
        token.table_scale = self.multiplier
        if token.kind == "number" and self.unit:
            token.kind, token.unit = "money", self.unit


class Scales:
    """The tables of a text (``low``: lower case) that a scale hint governs, in order and without overlaps."""

    def __init__(self, low: str) -> None:
        self._low = low
        self._line = (-1, -1)  # the row that was looked at last, and whether its figures are scaled
        self._scaled = False
        self._regions = list(self._read())
        self._starts = [region.start for region in self._regions]

    def _read(self) -> Iterator[Region]:
        low = self._low
        open_: Region | None = None  # its end is still that of its head line
        line, unit = (-1, -1), ""
        for match in sorted(_hints(low), key=lambda m: m.start()):
            if "\n" in match[0] or not line[0] <= match.start() <= match.end() <= line[1]:
                line, unit = _line(low, match.start(), match.end()), ""
                currency = _CURRENCY.search(low, *line)
                unit = _unit(currency[0]) if currency else ""
            begin, stop = line
            bracketed = "(" in low[max(begin, match.start() - _BRACKET) : match.start() + 1]
            if not (bracketed or stop - begin < _HEAD_LINE):
                continue
            if open_ is not None:
                yield replace(open_, end=_table_end(low, open_.end, begin))
            multiplier = Decimal(_MULTIPLIER.get(_word(match), 1000))
            open_ = Region(begin, stop, multiplier, unit, _GERMAN.search(match[0]) is not None)
        if open_ is not None:
            yield replace(open_, end=_table_end(low, open_.end, len(low)))

    def take_currencies(self, tokens: Sequence[Token]) -> None:
        """Give a table without a stated currency that of its first amount: others are printed without the sign."""
        first: dict[int, str] = {}
        for token in tokens:
            at = self._at(token.start)
            if at >= 0 and token.kind == "money" and not token.refused:
                first.setdefault(at, token.unit)
        for at, unit in first.items():
            if not self._regions[at].unit:
                self._regions[at] = replace(self._regions[at], unit=unit)

    def apply(self, token: Token) -> None:
        """Scale a figure of a table, unless its row counts shares or states per-share amounts."""
        at = self._at(token.start)
        if at < 0:
            return
        if not self._line[0] <= token.start <= token.end <= self._line[1]:
            begin, stop = _line(self._low, token.start, token.end)
            row = self._low[begin:stop]
            self._line = (begin, stop) if "\n" not in row else (-1, -1)
            self._scaled = _tabular(row) and not _EXEMPT.search(row)
        if self._scaled:
            self._regions[at].apply(self._low, token)

    def _at(self, offset: int) -> int:
        """Return which table holds an offset; -1 for none."""
        at = bisect.bisect_right(self._starts, offset) - 1
        return at if at >= 0 and offset < self._regions[at].end else -1


def _line(low: str, start: int, end: int) -> tuple[int, int]:
    """Return where the line begins that holds a place, and where the last line of the place ends."""
    stop = low.find("\n", end)
    return low.rfind("\n", 0, start) + 1, stop if stop >= 0 else len(low)


def _hints(low: str) -> Iterator[re.Match[str]]:
    """Find hints from their rare words: a search over the whole text would cost more than all the rest."""
    found: dict[int, re.Match[str]] = {}
    for stem in _STEMS:
        at = low.find(stem)
        while at >= 0:
            match = _HINT.search(low, max(0, at - _HINT_BEFORE), at + _HINT_BEHIND)
            if match is not None:
                found.setdefault(match.start(), match)
            at = low.find(stem, at + len(stem))
    yield from found.values()
    yield from _CELL_HINT.finditer(low)


def _word(match: re.Match[str]) -> str:
    groups = match.groupdict()
    return str(groups.get("word") or groups.get("short") or groups.get("mark") or "").rstrip(".")


def _unit(mark: str) -> str:
    bare = mark if mark in CURRENCY_MARKS else mark.lstrip("tkm")
    return CURRENCY_MARKS.get(bare) or CURRENCY_NAMES.get(mark, "")


def _table_end(low: str, at: int, following: int) -> int:
    """Walk down rows until prose begins, or the following table."""
    limit = min(len(low), at + _LONGEST_TABLE)
    while at < min(limit, following):
        stop = low.find("\n", at + 1)
        stop = len(low) if stop < 0 else stop
        line = low[at + 1 : stop].strip()
        if (
            line
            and not _tabular(line)
            and (len(line) > _PROSE or line.endswith((".", ";")) or line.startswith("sheet: "))
        ):
            return min(at, following)  # what one sheet states does not scale the next
        at = stop
    return min(at, following)


def _tabular(line: str) -> bool:
    return "\t" in line or "|" in line or re.search(r"\S {2,}[($€£]?\s?\d", line) is not None
