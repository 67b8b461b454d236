"""Derived figures: sums, differences, products, ratios and percentages of grounded neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from tasks.reconcile.quantities import Quantity, stated_precision

_MOST = 40
_TIMES = frozenset({"months", "days", "hours", "minutes"})


def derive(target: Quantity, given: Sequence[Quantity]) -> tuple[str, tuple[Quantity, ...]] | None:
    """Explain a figure by arithmetic over grounded figures that stand beside it.

    Returns:
        The derivation, e.g. ``1200000 - 200000 = 1000000``, and the figures it uses; None where none fits.
    """
    parts = _distinct(given)[:_MOST]
    slack = _slack(target)
    for value, text, used in (*_totals(target, given), *_pairs(target, parts)):
        if abs(abs(value) - abs(target.value)) <= slack:
            return f"{text} = {_plain(target.value)}", used
    return None


def _slack(target: Quantity) -> Decimal:
    """Return how far arithmetic may be from the stated figure: half of its last stated digit, or nothing."""
    precision = stated_precision(target.figure.text, target.value)
    exact = target.family not in ("rate", "multiple") and target.figure.kind != "money"
    return Decimal(0) if exact else precision / 2


def _distinct(given: Sequence[Quantity]) -> list[Quantity]:
    seen: dict[tuple[str, Decimal], Quantity] = {}
    for quantity in given:
        seen.setdefault((quantity.family, quantity.value), quantity)
    return list(seen.values())


def _totals(target: Quantity, given: Sequence[Quantity]) -> Iterator[tuple[Decimal, str, tuple[Quantity, ...]]]:
    """Yield sums of three or more neighbours of one family: totals of lists and table columns."""
    same = [q for q in given if q.family == target.family]
    for run in (same, _distinct(same)):
        for start in range(min(len(run), 60)):
            tail = run[start:]
            if 3 <= len(tail) <= 60:
                shown = [_plain(q.value) for q in tail]
                text = " + ".join(shown if len(shown) <= 8 else [*shown[:7], "…", shown[-1]])
                yield sum((q.value for q in tail), Decimal(0)), text, tuple(tail)


def _pairs(target: Quantity, parts: Sequence[Quantity]) -> Iterator[tuple[Decimal, str, tuple[Quantity, ...]]]:
    for a in parts:
        for b in parts:
            if a is b:
                continue
            used = (a, b)
            if a.family == b.family == target.family:
                yield a.value + b.value, f"{_plain(a.value)} + {_plain(b.value)}", used
                yield a.value - b.value, f"{_plain(a.value)} - {_plain(b.value)}", used
            if b.family == "rate" and a.family == target.family != "rate":
                yield a.value * b.value / 100, f"{_plain(a.value)} × {_plain(b.value)}%", used
                yield a.value * (1 + b.value / 100), f"{_plain(a.value)} × (1 + {_plain(b.value)}%)", used
                yield a.value * (1 - b.value / 100), f"{_plain(a.value)} × (1 - {_plain(b.value)}%)", used
            if (
                a.family == target.family
                and b.family in {"multiple", "count", "bare", *_TIMES}
                and a.family != b.family
            ):
                yield a.value * b.value, f"{_plain(a.value)} × {_plain(b.value)}", used
                if b.value:
                    yield a.value / b.value, f"{_plain(a.value)} / {_plain(b.value)}", used
            if a.family == b.family and b.value:
                if target.family == "rate":
                    yield a.value / b.value * 100, f"{_plain(a.value)} / {_plain(b.value)}", used
                    change = (a.value - b.value) / b.value * 100
                    yield change, f"({_plain(a.value)} - {_plain(b.value)}) / {_plain(b.value)}", used
                if target.family == "multiple":
                    yield a.value / b.value, f"{_plain(a.value)} / {_plain(b.value)}", used


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}" if value != value.to_integral_value() else f"{int(value)}"
