"""Sums and days worked out: a model names the operation and the figures; code verifies both and calculates."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from types import MappingProxyType

from tasks.drafting.extractive.due.worked import cents, shown
from tasks.drafting.extractive.term import add
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.stated import long_date
from tasks.drafting.guided.records import Sum
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.numbers.scan import scan_numbers

_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "money": "money", "per_share": "money", "percent": "percent", "duration": "period", "count": "count",
        "number": "count", "shares": "count", "fraction": "count", "multiple": "count",
    }
)  # fmt: skip
_CALENDAR = re.compile(r"\b(?:business|working|banking|trading|court)\b", re.I)  # days that need a calendar
_MANY = 2  # figures from which there is something to add or to compare


@dataclass(frozen=True)
class Operand:
    """A figure that stands in a sentence, or in the client's request.

    Attributes:
        said: In the words of the document.
        kind: money, percent, period, count or day.
        value: What it is worth; a day as its ordinal number.
        measure: ISO code of the currency, unit of the period, or what is counted; empty where none is told.
        unit: The sentence; None for the request.
    """

    said: str
    kind: str
    value: Decimal
    measure: str = ""
    unit: Unit | None = None

    @property
    def shown(self) -> str:
        """Return it as it is written."""
        return shown(self.value, self.measure) if self.kind == "money" else self.said


def operand(words: str, text: str, unit: Unit | None) -> Operand | None:
    """Return the one figure that some words name and a text states; None where they name none, or several.

    Args:
        words: As a model copied them.
        text: In which the figure must stand.
        unit: The sentence of that text; None for the client's request.
    """
    stands, named = _figures(text), _figures(words)
    same = [key for key in named if key in stands]
    if not same and len(named) == 1 and next(iter(named))[0] == "count":  # "20,000" copied of "$20,000"
        same = [key for key in stands if key[1] == next(iter(named))[1] and words.strip() in stands[key]]
    if len(same) != 1:
        return None
    kind, value, measure = same[0]
    return Operand(stands[same[0]], kind, value, measure, unit)


def _figures(text: str) -> dict[tuple[str, Decimal, str], str]:
    found: dict[tuple[str, Decimal, str], str] = {}
    days = [d for d in scan_dates(text) if d.precision == "day" and not d.also]
    for day in days:
        found.setdefault(("day", Decimal(date.fromisoformat(day.iso).toordinal()), ""), day.text)
    for figure in scan_numbers(text):
        kind = _KINDS.get(figure.kind)
        counted = kind == "period" and _CALENDAR.search(text[figure.start : figure.end + 12])
        if kind and not figure.disagrees and not counted:
            measure = figure.unit if kind in ("money", "period") else ""
            found.setdefault((kind, figure.value, measure), figure.text)
    return found


def worked_out(operation: str, operands: Sequence[Operand]) -> Sum | None:
    """Return the result of an operation with its working; None where it makes no sense of these figures."""
    made = OPERATIONS[operation][1](operands) if operation in OPERATIONS else None
    if made is None:
        return None
    value, working, day = made
    units = tuple(dict.fromkeys(o.unit for o in operands if o.unit is not None))
    return Sum(value, working, units, day)


_Made = tuple[str, str, str] | None
"""The result as it is told, its working, and the ISO date where it is a day."""


def _alike(operands: Sequence[Operand]) -> bool:
    same = len({(o.kind, o.measure) for o in operands}) == 1
    return same and len(operands) >= _MANY and operands[0].kind in ("money", "count", "percent", "period")


def _told(value: Decimal, like: Operand) -> str:
    if like.kind == "money":
        return shown(cents(value), like.measure)
    plain = f"{value.quantize(Decimal('0.01')):f}"
    plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
    unit = {"percent": "%", "period": f"{like.measure}{'' if value == 1 else 's'}"}.get(like.kind, "")
    return f"{plain} {unit}".strip()


def _sum(operands: Sequence[Operand]) -> _Made:
    if not _alike(operands):
        return None
    value = _told(sum((o.value for o in operands), Decimal(0)), operands[0])
    return value, f"{' + '.join(o.shown for o in operands)} = {value}", ""


def _difference(operands: Sequence[Operand]) -> _Made:
    if not _alike(operands):
        return None
    value = operands[0].value - sum((o.value for o in operands[1:]), Decimal(0))
    if value < 0:
        return None
    said = _told(value, operands[0])
    return said, f"{' − '.join(o.shown for o in operands)} = {said}", ""


def _product(operands: Sequence[Operand]) -> _Made:
    money = [o for o in operands if o.kind == "money"]
    if len(money) > 1 or len(operands) < _MANY or any(o.kind in ("percent", "day") for o in operands):
        return None
    value = Decimal(1)
    for o in operands:
        value *= o.value
    said = _told(value, money[0] if money else Operand("", "count", value))
    return said, f"{' × '.join(o.shown for o in operands)} = {said}", ""


def _quotient(operands: Sequence[Operand]) -> _Made:
    if len(operands) != _MANY or operands[0].kind not in ("money", "count") or operands[1].value <= 0:
        return None
    if operands[1].kind not in ("count", "period"):
        return None
    said = _told(operands[0].value / operands[1].value, operands[0])
    return said, f"{operands[0].shown} / {operands[1].shown} = {said}", ""


def _percentage(operands: Sequence[Operand]) -> _Made:
    rates = [o for o in operands if o.kind == "percent"]
    bases = [o for o in operands if o.kind in ("money", "count")]
    if len(operands) != _MANY or len(rates) != 1 or len(bases) != 1:
        return None
    said = _told(bases[0].value * rates[0].value / 100, bases[0])
    return said, f"{rates[0].shown} of {bases[0].shown} = {said}", ""


def _share(operands: Sequence[Operand]) -> _Made:
    if len(operands) != _MANY or not _alike(operands) or operands[1].value <= 0:
        return None
    value = f"{(operands[0].value / operands[1].value * 100).quantize(Decimal('0.01')):f} %"
    return value, f"{operands[0].shown} / {operands[1].shown} = {value}", ""


def _extreme(pick: Callable[..., Operand], called: str) -> Callable[[Sequence[Operand]], _Made]:
    def of(operands: Sequence[Operand]) -> _Made:
        days = len(operands) >= _MANY and all(o.kind == "day" for o in operands)
        if not days and not _alike(operands):
            return None
        best = pick(operands, key=lambda o: o.value)
        told = ", ".join(o.shown for o in operands)
        day = date.fromordinal(int(best.value)) if days else None
        said = long_date(day) if day else best.shown
        return said, f"the {called} of {told}: {said}", day.isoformat() if day else ""

    return of


def _counted(sign: int, side: str) -> Callable[[Sequence[Operand]], _Made]:
    def of(operands: Sequence[Operand]) -> _Made:
        days = [o for o in operands if o.kind == "day"]
        periods = [o for o in operands if o.kind == "period"]
        if len(operands) != _MANY or len(days) != 1 or len(periods) != 1:
            return None
        length, unit = periods[0].value, periods[0].measure
        if length != int(length) or unit not in ("day", "week", "month", "quarter", "year"):
            return None
        try:
            day = add(date.fromordinal(int(days[0].value)), sign * int(length), unit)
        except (ValueError, OverflowError):  # no calendar has that day
            return None
        said = long_date(day)
        return said, f"{periods[0].shown} {side} {days[0].shown}: {said}", day.isoformat()

    return of


def _between(operands: Sequence[Operand]) -> _Made:
    if len(operands) != _MANY or any(o.kind != "day" for o in operands):
        return None
    first, last = sorted(operands, key=lambda o: o.value)
    value = f"{int(last.value - first.value)} days"
    return value, f"from {first.shown} to {last.shown}: {value}", ""


OPERATIONS: Mapping[str, tuple[str, Callable[[Sequence[Operand]], _Made]]] = MappingProxyType(
    {
        "sum": ("the figures added", _sum),
        "difference": ("the first less the others", _difference),
        "product": ("the figures multiplied: a price for each, and how many", _product),
        "quotient": ("the first divided by the second", _quotient),
        "percentage": ("a percentage of a figure", _percentage),
        "share": ("the first as a percentage of the second", _share),
        "least": ("the least or earliest of them", _extreme(min, "least")),
        "greatest": ("the greatest or latest of them", _extreme(max, "greatest")),
        "day_after": ("a day and the period that runs from it", _counted(1, "after")),
        "day_before": ("a day and the period that ends on it", _counted(-1, "before")),
        "days_between": ("two days", _between),
    }
)
"""The operations that a model may name: what each takes, and how it is worked out."""
NONE = "none"
