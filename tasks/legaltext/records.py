"""What the scanners of legal text return. Offsets are ``[start, end)`` in characters."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from tasks.matter.base import Record

FigureKind = Literal[
    "money", "percent", "bps", "multiple", "ratio", "fraction", "count", "shares", "duration", "number", "per_share"
]
TimeUnit = Literal["minute", "hour", "day", "week", "month", "quarter", "year"]


class Figure(Record):
    """A quantity in text.

    Attributes:
        value: The normalised value ("$ 1.2 million" is 1200000; "5%" is 5).
        unit: ISO 4217 code, ``percent``, ``bps``, ``multiple``, ``ratio``, ``fraction``, ``shares``,
            ``count``, or a time unit in the singular; empty for a bare number.
        scale: Multiplier that came from outside the digits (table "in thousands": 1000), else 1.
        pair: True where it is one side of a word/figure pair ("fifteen (15)").
        disagrees: True where the two sides of such a pair differ.
    """

    start: int
    end: int
    text: str
    value: Decimal
    unit: str
    kind: FigureKind
    scale: Decimal = Decimal(1)
    pair: bool = False
    disagrees: bool = False


class DateMention(Record):
    """A date. ``iso`` is ``2024-03-03``, ``2024-05``, ``2024-Q3``, ``2024-H1``, ``FY2023`` or ``--03-31`` (no year).

    Attributes:
        also: The other reading of figures that may be read day first or month first ("03/04/2024"), else empty.
    """

    start: int
    end: int
    text: str
    iso: str
    precision: Literal["day", "month", "quarter", "half", "year", "fiscal_year", "day_of_year"]
    also: str = ""


class Window(Record):
    """A period counted from an event: "within 30 Business Days after notice".

    Attributes:
        n: Length in ``unit``.
        direction: ``after`` or ``before`` the trigger; ``of`` where the text leaves it open.
        trigger: The words that name the event; may be empty.
        said_n: What the text says where that is no whole number ("3.5 years", while ``n`` is 42 months), with
            ``said_unit``.
    """

    start: int
    end: int
    text: str
    n: int
    unit: TimeUnit
    calendar: Literal["calendar", "business", "trading", "clear", "unspecified"] = "unspecified"
    direction: Literal["after", "before", "of"] = "of"
    trigger: str = ""
    said_n: Decimal | None = None
    said_unit: TimeUnit | None = None


class CitationMention(Record):
    """A legal citation.

    Attributes:
        kind: case, statute, regulation, rule, administrative, restatement, id, supra, section, neutral.
        canonical: Normal form, e.g. ``17 C.F.R. § 240.10b-5``; for Id. and supra what it resolves to.
        year: Year of decision, for a reported case whose parenthesis says it.
        court: Court as the parenthesis names it (``S.D.N.Y.``, ``Del. Ch.``); empty where it is silent.
    """

    start: int
    end: int
    text: str
    kind: str
    canonical: str
    year: int | None = None
    court: str = ""
