"""The result of a calculation, with its arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from types import MappingProxyType

from tasks.drafting.extractive.units import Unit

_SIGNS = MappingProxyType({"USD": "$", "EUR": "€", "GBP": "£"})


@dataclass(frozen=True)
class Worked:
    """A result with its arithmetic and the sentences that its operands stand in.

    Attributes:
        unit: ISO code of the currency, or what is counted.
        more: What the same arithmetic gives besides.
    """

    value: Decimal
    arithmetic: str
    units: tuple[Unit, ...]
    unit: str
    more: str = ""


def cents(value: Decimal) -> Decimal:
    """Return a sum rounded to hundredths."""
    return value.quantize(Decimal("0.01"), ROUND_HALF_UP)


def shown(value: Decimal, unit: str) -> str:
    """Return a figure as it is written: "$1,250", "CHF 80.50", "60 days"."""
    plain = f"{value:,.2f}".removesuffix(".00")
    if unit in _SIGNS:
        return f"{_SIGNS[unit]}{plain}"
    return f"{unit} {plain}" if unit.isupper() else f"{plain} {unit}".strip()
