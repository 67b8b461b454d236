"""The quantities of papers: every figure with the words that say what it is of, rows of lists and tables included."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.numbers.spelling import CARDINAL_PHRASE, words_to_int
from tasks.legaltext.records import Figure

_ROW = re.compile(r"^[ \t|>*-]*(?=[^\n]*[A-Za-z]{3})[^\n]*?(?:\t|\||[ ]{2,}|: )[^\n]*\d[\d,.]*%?[ \t|]*$", re.M)
_SENTENCE = re.compile(r"[a-z]{2,}\. |\b(?:shall|must|may not|will)\b")
_DATED = re.compile(r"[ \t|]*\d{1,4}[-/]\d{1,2}[-/]\d{1,4}")
_SOLD = re.compile(r"\b(?P<n>\d[\d,]*(?:\.\d+)?) (?:[\w-]+ ){0,2}(?:at|@|x|×) ?$", re.I)
_SIGN = 5  # characters before a figure that make it a sum
_OF_A_SUM = re.compile(r"(?:[$€£¥]|\b[A-Z]{3}|\bRs\.?) ?$")
_PART = re.compile(r" ?(?:%|per ?cent\b)", re.I)
_COUNT = re.compile(
    rf"\b(?P<n>once|twice|thrice|{CARDINAL_PHRASE}|\d[\d,]*(?:\.\d+)?)(?:\s*\(\d+\))?(?:\s+times)?(?:-|\b)", re.I
)
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_SAME_UNIT = {"lb": "pound", "lbs": "pound", "hrs": "hour", "mo": "month", "yr": "year", "annum": "year"}
_AFTER = 3  # words behind a number within which the thing that it counts stands: "11.5 unused vacation days"
_PLAIN = re.compile(r"(?<![\w.,/$-])\d{1,3}(?:,\d{3})+(?:\.\d\d)?(?![\w/-])|(?<![\w.,/$-])\d+\.\d\d(?![\w/%-])")


@dataclass(frozen=True)
class PaperQuantity:
    """A figure of a paper.

    Attributes:
        of: The words that say what it is of: its sentence under its heading, or the label of its row.
        near: The words next to it, between the figures on either side.
        row: Whether it stands in a row of a list or table.
    """

    figure: Figure
    value: Decimal
    money: str
    of: str
    near: str
    unit: Unit
    row: bool = False


@dataclass(frozen=True)
class TableRow:
    """A row of a list or table: its words, its sum, and how the sum is made where it is a product ("12 at $39")."""

    words: str
    value: Decimal
    money: str
    made: str
    unit: Unit
    heading: str
    table: int
    dated: bool = False


def figures_in(text: str, *kinds: str) -> list[Figure]:
    """Return the figures of a text, of some kinds if any; "thirty (30)" is one figure, the number of a day none."""
    days = [(d.start, d.end) for d in scan_dates(text)]
    found: list[Figure] = []
    for f in scan_numbers(text):
        if (kinds and f.kind not in kinds) or any(a <= f.start < b for a, b in days):
            continue
        if not (found and f.pair and found[-1].pair and found[-1].value == f.value):
            found.append(f)
    return found


def quantities_of(reading: SentencedDocument) -> tuple[PaperQuantity, ...]:
    """Return the sums, rates and counts of a paper in reading order."""
    found = []
    for unit in reading.units:
        text = straight(unit.text)
        figures = figures_in(text, "money", "percent", "per_share", "count", "shares")
        for n, f in enumerate(figures):
            before = figures[n - 1].end if n else 0
            after = figures[n + 1].start if n + 1 < len(figures) else len(text)
            left, right = text[before : f.start], text[f.end : after]
            left = re.split(r"[;:]|(?<!\d)[.,] ", left)[-1] if n else left
            near = f"{left} {re.split(r'[.;:,]', right)[0]}"
            money = f.unit if f.kind in ("money", "per_share") else ""
            found.append(PaperQuantity(f, f.value, money, f"{unit.heading} {text}", near, unit))
    return tuple(found)


def rows_of(reading: SentencedDocument) -> tuple[TableRow, ...]:
    """Return the rows of the lists and tables of a paper; at least two stand together."""
    text, found = reading.text.text, []
    table, last, heading = 0, -2, ""
    lines = text.split("\n")
    at = 0
    for number, line in enumerate(lines):
        start, at = at, at + len(line) + 1
        if not line.strip():
            continue
        made = _entered(line) if _ROW.match(line) and not _SENTENCE.search(line) else None
        if made is None:
            if not re.fullmatch(r"[\s|:-]+", line):
                heading = line.strip()
            continue
        table += number - last > 2
        last = number
        value, money, how = made
        unit = next((u for u in reading.units if u.start <= start + len(line) // 2 < u.pieces[-1][1]), None)
        if unit is not None:
            words = re.sub(r"[$€£|]|\b\d[\d,.-]*%?(?=\s|$)", " ", line)
            found.append(
                TableRow(" ".join(words.split()), value, money, how, unit, heading, table, bool(_DATED.match(line)))
            )
    many = {r.table for r in found if sum(x.table == r.table for x in found) > 1}
    return tuple(r for r in found if r.table in many)


def _entered(line: str) -> tuple[Decimal, str, str] | None:
    """Return what a row comes to: its last figure, or a count times a price."""
    figures = [f for f in figures_in(line) if f.kind in ("money", "per_share")]
    if figures:
        last = figures[-1]
        sold = _SOLD.search(line[: last.start])
        if sold and len(figures) == 1:
            many = Decimal(sold["n"].replace(",", ""))
            return many * last.value, last.unit, f"{sold['n']} × {last.text}"
        return last.value, last.unit, ""
    days = [(d.start, d.end) for d in scan_dates(line)]
    bare = [m for m in _PLAIN.finditer(line) if not any(a <= m.start() < b for a, b in days)]
    if not bare:
        bare = list(re.finditer(r"(?<![\w.,/$-])\d+(?=[ \t|]*$)", line))
    if bare and not any(a <= bare[-1].start() < b for a, b in days):
        return Decimal(bare[-1][0].replace(",", "")), "", ""
    return None


def counts(text: str, noun: str) -> Iterator[Decimal]:
    """Yield how many of a thing a text speaks of: "27,450 lbs", "nine (9) months", "twice in each year"."""
    name = singular(noun) if noun else ""
    for match in _COUNT.finditer(text):
        if _OF_A_SUM.search(text[max(0, match.start() - _SIGN) : match.start()]) or _PART.match(text, match.end()):
            continue  # a price for each counts nothing
        behind = re.findall(r"[A-Za-z]+", re.split(r"[.,]", text[match.end() :], maxsplit=1)[0])[:_AFTER]
        if match["n"].lower() in _TIMES:
            if not noun:
                yield Decimal(_TIMES[match["n"].lower()])
        elif noun and name in map(singular, behind):
            digits = match["n"].replace(",", "")
            whole = None if digits[0].isdigit() else words_to_int(digits.lower())
            if digits[0].isdigit() or whole is not None:
                yield Decimal(digits) if digits[0].isdigit() else Decimal(whole or 0)


def singular(noun: str) -> str:
    """Return a unit of count in one form."""
    plain = noun.lower()
    return _SAME_UNIT.get(plain, plain.removesuffix("s"))


def counts_any(text: str, noun: str) -> bool:
    """Tell whether a text counts a thing."""
    return any(True for _ in counts(text, noun))
