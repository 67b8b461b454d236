"""The result of a calculation, with its arithmetic."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
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
        certain: False where another operand would have fitted about as well.
    """

    value: Decimal
    arithmetic: str
    units: tuple[Unit, ...]
    unit: str
    more: str = ""
    certain: bool = True


@dataclass(frozen=True)
class WorkedDay:
    """A day that was worked out for an ask, with the words that asked for it."""

    day: date
    words: str
    units: tuple[Unit, ...]


def cents(value: Decimal) -> Decimal:
    """Return a sum rounded to hundredths."""
    return value.quantize(Decimal("0.01"), ROUND_HALF_UP)


def shown(value: Decimal, unit: str) -> str:
    """Return a figure as it is written: "$1,250", "CHF 80.50", "60 days"."""
    plain = f"{value:,.2f}".removesuffix(".00")
    if unit == "percent":
        return f"{value.normalize():f}%"
    if unit in _SIGNS:
        return f"{_SIGNS[unit]}{plain}"
    return f"{unit} {plain}" if unit.isupper() else f"{plain} {unit}".strip()


def closed(made: Worked, *parts: Worked) -> Worked:
    """Complete the arithmetic with its result, after the arithmetic of its operands."""
    value = cents(made.value)
    steps = [p.arithmetic for p in parts if " = " in p.arithmetic]
    return replace(made, value=value, arithmetic="; ".join([*steps, f"{made.arithmetic} = {shown(value, made.unit)}"]))


def named(value: Worked) -> str:
    """Return a value as written in a calculation."""
    return shown(value.value, value.unit)
