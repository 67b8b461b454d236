"""Figures and dates as values that can be compared across a draft and its source."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.records import DateMention, Figure
from tasks.reconcile.quantities import Quantity

_KINDS = frozenset({"money", "percent", "bps", "duration", "per_share"})


class FigureValue(NamedTuple):
    """A figure or a day: what kind it is of, the value in the unit of its kind, and its words."""

    kind: str
    value: str
    text: str
    start: int

    def equals(self, other: FigureValue) -> bool:
        """Say whether another value is the same."""
        return self.kind == other.kind and self.value == other.value


def values_of(text: str) -> list[FigureValue]:
    """Return the amounts, rates, periods and days of a text, in its order."""
    return values(scan_numbers(text), scan_dates(text))


def values(figures: Iterable[Figure], dates: Iterable[DateMention]) -> list[FigureValue]:
    """Return figures and dates that were read as values that can be compared, in the order of the text."""
    found = []
    for figure in figures:
        if figure.kind in _KINDS and not figure.disagrees:
            quantity = Quantity.of(figure)
            value = f"{abs(quantity.value).normalize():f}"
            found.append(FigureValue(quantity.family, value, figure.text, figure.start))
    found += [FigureValue("day", d.iso, d.text, d.start) for d in dates if d.precision == "day"]
    return sorted(found, key=lambda v: v.start)
