"""Scale stated outside the digits: "(in thousands)" over a table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from tasks.sources.scan.number_numerals import Token
from tasks.sources.scan.number_units import CURRENCY_MARKS, CURRENCY_NAMES, alternation

_HINT = re.compile(
    r"(?:\bin|expressed in|stated in)\s+(?:[a-z.$€£¥]{1,12}\s+){0,3}(?P<word>thousands|millions|billions|000s|000'?s)\b"
    r"|(?P<thousands>[$€£¥]\s?['’]?000s?\b|['’]000s?\b)"
    r"|\((?:us)?[$€£¥]\s?(?P<short>m|mm|mn|k|bn)\)"
)
_MULTIPLIER: Final[Mapping[str, int]] = {
    "thousands": 1000,
    "000s": 1000,
    "000's": 1000,
    "k": 1000,
    "millions": 10**6,
    "m": 10**6,
    "mm": 10**6,
    "mn": 10**6,
    "billions": 10**9,
    "bn": 10**9,
}
_CURRENCY = re.compile(rf"(?<![a-z])(?:{alternation(CURRENCY_MARKS)})|{alternation(CURRENCY_NAMES)}")
_EXEMPT = re.compile(r"per[\s-](?:share|unit|common|ads)|\bshares\b|headcount|employees|number of")
_LONGEST_TABLE = 40_000


@dataclass(frozen=True)
class Region:
    """A table ``[start, end)`` whose figures are stated in multiples."""

    start: int
    end: int
    multiplier: Decimal
    unit: str

    def holds(self, at: int) -> bool:
        """Return whether an offset lies in the table."""
        return self.start <= at < self.end

    def apply(self, low: str, token: Token) -> None:
        """Scale a figure of the table, unless its row counts shares or states per-share amounts."""
        begin = low.rfind("\n", 0, token.start) + 1
        stop = low.find("\n", token.end)
        row = low[begin : stop if stop >= 0 else len(low)]
        if not _tabular(row) or _EXEMPT.search(row):
            return
        token.value *= self.multiplier
        token.table_scale = self.multiplier
        if token.kind == "number" and self.unit:
            token.kind, token.unit = "money", self.unit


def table_regions(low: str) -> list[Region]:
    """Find the tables that a scale hint governs."""
    regions: list[Region] = []
    for match in _HINT.finditer(low):
        begin = low.rfind("\n", 0, match.start()) + 1
        stop = low.find("\n", match.end())
        stop = len(low) if stop < 0 else stop
        line = low[begin:stop]
        bracketed = "(" in low[max(begin, match.start() - 60) : match.start() + 1]
        if not (bracketed or len(line) < 100):
            continue
        multiplier = Decimal(_MULTIPLIER.get(match["word"] or match["short"] or "", 1000))
        currency = _CURRENCY.search(line)
        unit = _unit(currency[0]) if currency else ""
        end = _table_end(low, stop)
        if regions and regions[-1].end > begin:
            regions[-1] = Region(regions[-1].start, begin, regions[-1].multiplier, regions[-1].unit)
        regions.append(Region(begin, end, multiplier, unit))
    return regions


def _unit(mark: str) -> str:
    return CURRENCY_MARKS.get(mark) or CURRENCY_NAMES.get(mark, "")


def _table_end(low: str, at: int) -> int:
    """Walk down rows until prose begins."""
    limit = min(len(low), at + _LONGEST_TABLE)
    while at < limit:
        stop = low.find("\n", at + 1)
        stop = len(low) if stop < 0 else stop
        line = low[at + 1 : stop].strip()
        if line and not _tabular(line) and (len(line) > 90 or line.endswith((".", ";"))):
            return at
        at = stop
    return at


def _tabular(line: str) -> bool:
    return "\t" in line or "|" in line or re.search(r"\S {2,}[($€£]?\s?\d", line) is not None
