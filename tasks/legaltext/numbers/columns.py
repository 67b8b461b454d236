"""Units that the head of a table column states: "Shares", "Amount (US$)", "Own. %", "Term (months)"."""

from __future__ import annotations

import bisect
import re
from collections import defaultdict
from typing import Final

from tasks.legaltext.numbers.numerals import Token
from tasks.legaltext.numbers.units import CURRENCY_MARKS, SHARE_NOUNS, TIME_NAMES, alternation
from tasks.legaltext.records import FigureKind

_UNIT: Final = re.compile(
    r"(?P<percent>%|\bper\s?cent\b|\bpct\b|\bpercentage\b)"
    r"|(?P<bps>\bbps\b|\bbasis points\b)"
    rf"|(?P<money>(?<![a-z])(?:{alternation(CURRENCY_MARKS)})(?![a-z]))"
    rf"|(?P<shares>\b(?:{SHARE_NOUNS})\b|\boptions\b|\bwarrants\b)"
    r"|(?P<duration>\((?:in\s+)?(?P<time>days|weeks|months|years|hours)\)|^(?P<alone>days|weeks|months|years|hours)$)"
    r"|(?P<count>\bheadcount\b|\bemployees\b|\bnumber of\b|\bquantity\b|\bqty\b|\bunits\b|#)"
)
_ROW: Final = re.compile(r"^[^\n]*\|[^\n]*$", re.MULTILINE)
_CELL: Final = re.compile(r"(?:(?<=\| )|^)([a-z]{1,3})\d{1,7}: ([^|\n]*)", re.MULTILINE)
_OWN_CELL: Final = re.compile(r"(?:^|[\s|])([a-z]{1,3})\d{1,7}: [(\s]*$")
_PRICED: Final = re.compile(r"\bper[\s-](?:share|unit)|\bprice\b")
_LEADING_BARS: Final = re.compile(r"\s*(\|*)")
_LONGEST_HEAD = 60  # characters; a longer first cell is prose, not the head of a column; chosen by eye
_CELL_REACH: Final = 24  # characters before a figure: the name of its cell, "abc1234567: ", with room to spare

Unit = tuple[FigureKind, str]


class Columns:
    """The stated units of the columns of the tables of a text (``low``: lower case)."""

    def __init__(self, low: str) -> None:
        self._low = low
        self._row = self._place = self._bars = self._leading = 0
        self._starts: dict[str, list[int]] = defaultdict(list)
        self._units: dict[str, list[Unit | None]] = defaultdict(list)
        sheet = 0
        ended = -2
        for row in _ROW.finditer(low):
            cells = _CELL.findall(row[0])
            if cells:
                for column, said in cells:
                    self._head(f"{column}:", row.start(), said)
                continue
            if row.start() > ended + 1:  # the first row of a table without cell names is its head
                sheet = row.start()
                for at, said in enumerate(row[0].strip().strip("|").split("|")):
                    self._head(f"{sheet}:{at}", row.start(), said)
            self._starts["rows"].append(row.start())
            self._units["rows"].append(("number", str(sheet)))
            ended = row.end()

    def _head(self, column: str, at: int, said: str) -> None:
        said = said.strip()
        if (
            not said
            or len(said) > _LONGEST_HEAD
            or said[:1].isdigit()
            or not any(c.isalpha() or c in "%#$€£¥₹" for c in said)
        ):
            return
        if said[0] in "$€£¥₹(-" and any(c.isdigit() for c in said):
            return
        self._starts[column].append(at)
        self._units[column].append(_unit(said))

    def unit(self, token: Token) -> Unit | None:
        """Return the unit that the head of a bare number's column states."""
        low = self._low
        row = self._go_to(token.start)
        named = _OWN_CELL.search(low[max(row, token.start - _CELL_REACH) : token.start])
        if named:
            return self._above(f"{named[1]}:", row - 1)
        if not self._bars:
            return None
        at = bisect.bisect_right(self._starts["rows"], row) - 1
        if at < 0 or self._starts["rows"][at] != row:
            return None
        entry = self._units["rows"][at]
        assert entry is not None
        return self._above(f"{entry[1]}:{self._bars - self._leading}", row - 1)

    def _go_to(self, place: int) -> int:
        """Return where the row begins that holds a place, and count the bars before the place in that row.

        Numbers are asked for in reading order, so that a row is gone through once however many it holds.
        """
        low = self._low
        if place < self._place:
            self._row = self._place = low.rfind("\n", 0, place) + 1
            self._bars = self._leading = 0
        feed = low.rfind("\n", self._place, place)
        if feed >= 0:
            self._row = self._place = feed + 1
            self._bars = self._leading = 0
        if self._place == self._row and place > self._row:
            opening = _LEADING_BARS.match(low, self._row, place)
            self._leading = len(opening[1]) if opening else 0
        self._bars += low.count("|", self._place, place)
        self._place = place
        return self._row

    def _above(self, column: str, before: int) -> Unit | None:
        starts = self._starts.get(column)
        at = bisect.bisect_right(starts, before) - 1 if starts else -1
        return self._units[column][at] if at >= 0 else None


def _unit(said: str) -> Unit | None:
    match = _UNIT.search(said)
    if match is None:
        return None
    if match["money"] or _PRICED.search(said):
        return ("money", CURRENCY_MARKS[match["money"]]) if match["money"] else None
    if match["duration"]:
        word = (match["time"] or match["alone"]).removesuffix("s")
        return "duration", TIME_NAMES.get(word, word)
    kind: FigureKind = next(k for k in ("percent", "bps", "shares", "count") if match[k])
    return kind, kind
