"""Derived figures: sums, differences, products, ratios and percentages of grounded neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from tasks.reconcile.quantities import Quantity, stated_precision

_MOST = 40  # figures combined: the number of sums grows with its square
_ADDED = (3, 60)  # figures of a total: sums of two are tried elsewhere, and more make no list of a draft; by eye
_SHOWN = 8  # figures of a sum that are shown
_TIMES = frozenset({"months", "days", "hours", "minutes"})


_CUE = re.compile(
    r"(?i)\b(?:totals?|totall?ing|together|aggregat|combined|differ|remain|balance|average|comes? to|amounts? to"
    r"|equals?|leaves?|represent|correspond|implies|i\.e\.|that is|of the|of its|annuali[sz]ed|more than|increase"
    r"|decrease|growth|pro[- ]rata|overall|in all|later|earlier|longer|shorter"
    # Whole words: "Lessee", "upon", "summary" and "shareholder" speak of no arithmetic.
    r"|(?:sums?|less|minus|plus|net|means?|makes?|ratio|changed?|changes|grew|rose|fell|up|down|shares?)\b)|[=×+%∑]| x "
)
_EXACT_FAMILIES = frozenset({"months", "days", "hours", "minutes", "seconds", "count", "bare", "rate", "multiple"})


def cued(words: str) -> bool:
    """Return whether the words speak of arithmetic. Small figures match by chance, so they need such words."""
    return _CUE.search(words) is not None


def explain_by_arithmetic(
    target: Quantity, given: Sequence[Quantity], slack: Decimal = Decimal(0), said: bool = True
) -> tuple[str, tuple[Quantity, ...]] | None:
    """Explain a figure by arithmetic over grounded figures near it.

    Args:
        target: The figure.
        given: Grounded figures, in the order of the draft.
        slack: Rounding that the draft states.
        said: Whether the words speak of arithmetic; otherwise only amounts of money are derived.

    Returns:
        The derivation, e.g. ``1200000 - 200000 = 1000000``, and the figures it uses; None where none fits.
    """
    if target.family in _EXACT_FAMILIES and not said:
        return None
    parts = _distinct(given)[:_MOST]
    own = _slack(target)
    slack = max(slack, own)
    sums = (*_totals(target, given), *_pairs(target, parts), *_interest(target, parts))
    for sign in (1, -1):  # "45 - 15 = 30" before "15 - 45 = -30"
        for value, text, used in sums:
            off = abs(abs(value) - abs(target.value))
            if off <= slack and value * target.value * sign >= 0:
                return f"{text} {'=' if off <= own else '≈'} {plain_digits(sign * target.value)}", used
    return None


def _slack(target: Quantity) -> Decimal:
    """Return how far a computed value may differ from the stated figure: half of its last stated digit, or nothing."""
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
        for start in range(min(len(run), _ADDED[1])):
            tail = run[start:]
            if _ADDED[0] <= len(tail) <= _ADDED[1]:
                shown = [plain_digits(q.value) for q in tail]
                text = " + ".join(shown if len(shown) <= _SHOWN else [*shown[: _SHOWN - 1], "…", shown[-1]])
                total = sum((q.value for q in tail), Decimal(0))
                yield total, text, tuple(tail)
                yield total / len(tail), f"({text}) / {len(tail)}", tuple(tail)


def _pairs(target: Quantity, parts: Sequence[Quantity]) -> Iterator[tuple[Decimal, str, tuple[Quantity, ...]]]:
    for a in parts:
        for b in parts:
            if a is b:
                continue
            used = (a, b)
            if a.family == b.family == target.family:
                yield a.value + b.value, f"{plain_digits(a.value)} + {plain_digits(b.value)}", used
                yield a.value - b.value, f"{plain_digits(a.value)} - {plain_digits(b.value)}", used
            if b.family == "rate" and a.family == target.family != "rate":
                yield a.value * b.value / 100, f"{plain_digits(a.value)} × {plain_digits(b.value)}%", used
                yield a.value * (1 + b.value / 100), f"{plain_digits(a.value)} × (1 + {plain_digits(b.value)}%)", used
                yield a.value * (1 - b.value / 100), f"{plain_digits(a.value)} × (1 - {plain_digits(b.value)}%)", used
            if (
                a.family == target.family
                and b.family in {"multiple", "count", "bare", *_TIMES}
                and a.family != b.family
            ):
                yield a.value * b.value, f"{plain_digits(a.value)} × {plain_digits(b.value)}", used
                if b.value:
                    yield a.value / b.value, f"{plain_digits(a.value)} / {plain_digits(b.value)}", used
            if a.family == b.family and b.value:
                if target.family == "rate":
                    yield a.value / b.value * 100, f"{plain_digits(a.value)} / {plain_digits(b.value)}", used
                    change = (a.value - b.value) / b.value * 100
                    yield change, f"({plain_digits(a.value)} - {plain_digits(b.value)}) / {plain_digits(b.value)}", used
                if target.family == "multiple":
                    yield a.value / b.value, f"{plain_digits(a.value)} / {plain_digits(b.value)}", used


def _interest(target: Quantity, parts: Sequence[Quantity]) -> Iterator[tuple[Decimal, str, tuple[Quantity, ...]]]:
    """Yield an amount at a rate over a time: simple interest by days of 360 or 365, by months, by years."""
    if target.figure.kind != "money":
        return
    amounts = [q for q in parts if q.family == target.family][:12]
    rates = [q for q in parts if q.family == "rate"][:8]
    for time in [q for q in parts if q.family in ("days", "months")][:8]:
        for basis in (360, 365) if time.family == "days" else (12,):
            for amount in amounts:
                for rate in rates:
                    value = amount.value * rate.value / 100 * time.value / basis
                    money, percent, count = (plain_digits(q.value) for q in (amount, rate, time))
                    text = f"{money} × {percent}% × {count}/{basis}"
                    yield value, text, (amount, rate, time)


def plain_digits(value: Decimal) -> str:
    """Return a value as digits, without exponent or trailing zeros."""
    return f"{value.normalize():f}" if value != value.to_integral_value() else f"{int(value)}"
