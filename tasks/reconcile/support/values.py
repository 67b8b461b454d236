"""Figures and dates as values that can be compared across a draft and its source."""

from __future__ import annotations

from typing import NamedTuple

from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.reconcile.quantities import Quantity

_KINDS = frozenset({"money", "percent", "bps", "duration", "per_share"})


class Value(NamedTuple):
    """A figure or a day: what kind it is of, the value in the unit of its kind, and its words."""

    kind: str
    value: str
    text: str

    def equals(self, other: Value) -> bool:
        """Say whether another value is the same."""
        return self.kind == other.kind and self.value == other.value


def values_of(text: str) -> list[Value]:
    """Return the amounts, rates, periods and days of a text, in no order."""
    found = []
    for figure in scan_numbers(text):
        if figure.kind in _KINDS and not figure.disagrees:
            quantity = Quantity.of(figure)
            found.append(Value(quantity.family, f"{abs(quantity.value).normalize():f}", figure.text))
    found += [Value("day", d.iso, d.text) for d in scan_dates(text) if d.precision == "day"]
    return found
