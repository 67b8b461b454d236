"""Ratios and floors that an agreement defines, recomputed from the rows of the matter's spreadsheets.

Arithmetic only: a definition names two rows ("Total Debt divided by EBITDA"), a covenant gives the limit, a sheet holds
the rows. Every line shows its operands and their places, so that it can be checked by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from tasks.drafting.extractive.quoting import place_of
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.numbers.scan import scan_numbers

SHEETS = frozenset({"xlsx", "csv"})
_TERM = r"(?:the |its )?([A-Za-z][\w&' -]{1,40}?)"
_STOP = r"(?=\s+(?:for|as|at|of|on|during|to be|in)\b|[,.;)]|$)"
_DIVIDED = re.compile(rf"\"([^\"]{{3,50}})\"\s+(?:means|is)\s+{_TERM}\s+divided by\s+{_TERM}{_STOP}", re.I)
_RATIO = re.compile(rf"\bratio of\s+{_TERM}\s+to\s+{_TERM}{_STOP}", re.I)
_FLOOR = re.compile(
    rf"\b(?:hold|maintain|have|keep)\s+{_TERM}\s+of\s+(?:at least|not less than|no less than)\s*$", re.I
)
_MOST = re.compile(r"\b(?:exceed|greater than|more than|above|not exceeding|maximum(?: of)?)\s+$", re.I)
_LEAST = re.compile(r"\b(?:less than|below|at least|lower than|minimum(?: of)?)\s+$", re.I)
_CELL = re.compile(r"[A-Z]{1,3}\d+: ([^|]*)")
_NUMBER = re.compile(r"\(?-?[$€£]?\s?\d[\d,]*(?:\.\d+)?\)?")
# How many of the unit a figure of the table stands for.
_SCALES = ((re.compile(r"\bin thousands\b|\$?000s\b", re.I), 1_000), (re.compile(r"\bin millions\b", re.I), 1_000_000))


@dataclass(frozen=True)
class SheetRow:
    """A labelled row of a sheet: its numbers by the heading of their columns.

    Attributes:
        scale: What the sheet says its numbers are in ("in thousands": 1000).
    """

    label: str
    values: tuple[tuple[str, Decimal], ...]
    document: str
    place: str
    scale: int
    start: int

    @property
    def says(self) -> str:
        """Return the numbers in full with the headings of their columns."""
        told = [f"{v * self.scale:,}{f' ({period})' if period else ''}" for period, v in self.values]
        return f"{self.label.capitalize()}: {'; '.join(told)}"


@dataclass(frozen=True)
class Formula:
    """A ratio that an agreement defines, with the limits set on it."""

    name: str
    above: str
    below: str
    unit: Unit
    document: str
    limits: tuple[tuple[str, Decimal, Unit], ...]


def recomputed(readings: Sequence[SentencedDocument]) -> list[str]:
    """Return a sentence for each defined ratio or floor that can be computed from the sheets."""
    rows = [row for r in readings if r.text.media in SHEETS for row in number_rows(r)]
    agreements = [r for r in readings if r.identity.agreement]
    lines = [line for r in agreements for f in _formulas(r) for line in _ratio_lines(f, rows)]
    return [*lines, *(line for r in agreements for line in _floor_lines(r, rows))][:12]


def number_rows(reading: SentencedDocument) -> Iterator[SheetRow]:
    """Yield the rows of a sheet that hold numbers, with the headings of their columns."""
    scale = next((s for pattern, s in _SCALES if pattern.search(reading.text.text)), 1)
    headings: list[str] = []
    for unit in reading.units:
        cells = [c.strip() for c in _CELL.findall(unit.text)]
        numbers = [_decimal(c) for c in cells[1:]]
        if len(cells) > 1 and not any(n is not None for n in numbers):
            headings = cells[1:]
        elif cells and any(n is not None for n in numbers):
            named = [headings[i] if i < len(headings) else "" for i in range(len(numbers))]
            values = tuple((h, n) for h, n in zip(named, numbers, strict=True) if n is not None)
            yield SheetRow(cells[0].lower(), values, reading.document, place_of(unit), scale, unit.start)


def _decimal(cell: str) -> Decimal | None:
    if not _NUMBER.fullmatch(cell):
        return None
    digits = re.sub(r"[^\d.]", "", cell)
    try:
        return Decimal(digits) * (-1 if cell.startswith(("(", "-")) else 1)
    except InvalidOperation:
        return None


def _formulas(reading: SentencedDocument) -> Iterator[Formula]:
    for unit, text in zip(reading.units, reading.plain, strict=True):
        divided, ratio = _DIVIDED.search(text), _RATIO.search(text)
        heading = unit.heading.split(" / ")[-1]
        if divided:
            yield _formula(reading, unit, divided[1], divided[2], divided[3])
        elif ratio and heading:
            yield _formula(reading, unit, heading, ratio[1], ratio[2])


def _formula(reading: SentencedDocument, unit: Unit, name: str, above: str, below: str) -> Formula:
    limits = []
    for other, text in zip(reading.units, reading.plain, strict=True):
        if name.lower() not in f"{text} {other.heading}".lower():
            continue
        for figure in scan_numbers(other.text):
            before = other.text[: figure.start]
            side = "maximum" if _MOST.search(before) else "minimum" if _LEAST.search(before) else ""
            if side and figure.kind in {"ratio", "multiple", "number"}:
                limits.append((side, figure.value, other))
    return Formula(name, above.lower(), below.lower(), unit, reading.document, tuple(limits))


def _ratio_lines(formula: Formula, rows: Sequence[SheetRow]) -> Iterator[str]:
    for above in (r for r in rows if _same(r.label, formula.above)):
        for below in (r for r in rows if r.document == above.document and _same(r.label, formula.below)):
            values = dict(below.values)
            for period, value in above.values[:2]:
                if values.get(period):
                    quotient = (value / values[period]).quantize(Decimal("0.01"), ROUND_HALF_UP)
                    parts = f"{value * above.scale:,} / {values[period] * below.scale:,}"
                    sum_ = f"{parts} = {quotient}x [{above.document}, {above.place}; {below.place}]"
                    yield f"{formula.name}{f', {period}' if period else ''}: {sum_}{_against(formula, quotient)}."


def _against(formula: Formula, value: Decimal) -> str:
    for side, limit, unit in formula.limits[:1]:
        broken = value > limit if side == "maximum" else value < limit
        met = "the limit is not met" if broken else "the limit is met"
        return f", against a {side} of {limit:.2f}x [{formula.document}, {place_of(unit)}]: {met} on these rows"
    return ""


def _floor_lines(reading: SentencedDocument, rows: Sequence[SheetRow]) -> Iterator[str]:
    for unit in reading.units:
        for figure in scan_numbers(unit.text):
            floor = _FLOOR.search(unit.text[: figure.start]) if figure.kind == "money" else None
            where = f"[{reading.document}, {place_of(unit)}]"
            for row in (r for r in rows if floor and _same(r.label, floor[1])):
                for period, value in row.values[:2]:
                    name = f"{row.label.capitalize()}{f', {period}' if period else ''}"
                    found = f"{value * row.scale:,.0f} [{row.document}, {row.place}]"
                    met = "met" if value * row.scale >= figure.value else "not met"
                    yield f"{name}: {found}, against a floor of {figure.text} {where}: the floor is {met} on this row."


def _same(label: str, term: str) -> bool:
    """Tell whether a row and a term of a formula have the same name except for small words."""

    def plain(words: str) -> str:
        return re.sub(r"\b(?:the|consolidated|total)\b|[^a-z]+", " ", words.lower()).strip()

    return bool(plain(label)) and " ".join(plain(label).split()) == " ".join(plain(term).split())
