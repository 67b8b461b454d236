"""A rule by which papers reckon a sum: a part of something, a price for each, tiers, each out of one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from tasks.drafting.extractive.units import Unit
from tasks.legaltext.records import Figure

TIMES_A_YEAR = {"month": 12, "week": 52, "quarter": 4, "year": 1, "annum": 1}
UNITS_OF_TIME = {
    "hour": Decimal(1) / 24,
    "day": Decimal(1),
    "week": Decimal(7),
    "month": Decimal(30),
    "year": Decimal(365),
}


@dataclass(frozen=True)
class Term:
    """A rule by which a sum is reckoned.

    Attributes:
        form: ``share`` (a part of something), ``price`` (a sum for each), ``tiers``, ``rise``, ``margin`` (points above
            a rate), ``multiple`` (months of a salary), ``instalments``, ``elapsed`` (the part of a year gone by).
        says: The sentence.
        value: The part of one (0.05), the sum for each, the points, or the number.
        shown: The same as it is written.
        money: The currency of a sum.
        base: The words for that of which it is a part.
        free: What the base must exceed, and only the excess counts.
        each: What it is due for each of ("week"); empty where it is due once.
        every: The time after which it is due again, where it is due for each of something else ("per user per month").
        step: How many of those make one ("every seven days").
        rounding: ``up`` where a part counts as whole, ``down`` where only whole ones count; else empty.
        beyond: How many of those do not count.
        yearly: Whether it is a rate for a year.
        basis: Days of a year; 0 where nothing is said.
        thirties: Whether each month has thirty days.
        divisor: By what the result is divided.
        tiers: Parts with the sum up to which each goes; the last without end.
        caps: The figures that it may not exceed, each with the words behind it.
    """

    form: str
    says: str
    unit: Unit
    value: Decimal = Decimal(0)
    shown: str = ""
    money: str = ""
    base: str = ""
    free: Decimal | None = None
    each: str = ""
    every: str = ""
    step: Decimal = Decimal(1)
    rounding: str = ""
    beyond: Decimal = Decimal(0)
    yearly: bool = False
    basis: int = 0
    thirties: bool = False
    divisor: Decimal = Decimal(1)
    tiers: tuple[tuple[Decimal, Decimal | None], ...] = ()
    caps: tuple[tuple[Figure, str, Unit], ...] = ()
