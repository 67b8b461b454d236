"""Dates in legal text: explicit, partial, worded, quarters and fiscal years.

The scanner is seeded: one pass finds month names, numeric dates, quarters, fiscal years and years in a dating
context; bounded patterns then read to either side. Every quantifier is bounded, so time is linear in the text.
The day on which it runs never enters a result.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from tasks.legaltext.dates.blanks import scan_squeezed
from tasks.legaltext.dates.foreign import foreign_dates
from tasks.legaltext.dates.joined import with_joined_dates
from tasks.legaltext.dates.months import month_dates
from tasks.legaltext.dates.numeric import numeric_dates
from tasks.legaltext.dates.periods import period_dates
from tasks.legaltext.dates.shared import with_shared_years
from tasks.legaltext.records import DateMention

DayOrder = Literal["us", "dmy"]


def scan_dates(text: str, default_order: DayOrder = "us") -> list[DateMention]:
    """Find the dates of a text.

    Args:
        text: Canonical text.
        default_order: How ``3/4/2024`` is read where both readings are possible: ``us`` is month first.

    Returns:
        Mentions in order of their start, without overlaps: of two that overlap the more precise one is kept, then
        the longer. Impossible dates ("February 30") and years without a dating context are left out.
    """

    def scan(squeezed: str) -> list[DateMention]:
        found = [
            *month_dates(squeezed),
            *numeric_dates(squeezed, default_order),
            *period_dates(squeezed),
            *foreign_dates(squeezed),
        ]
        return with_joined_dates(squeezed, with_shared_years(squeezed, list(_without_overlaps(found))))

    return scan_squeezed(text, scan)


# The more exact reading of the same words wins.
_RANK = {"day": 0, "day_of_year": 2, "month": 2, "quarter": 1, "half": 1, "fiscal_year": 3, "year": 4}


def _without_overlaps(found: list[DateMention]) -> Iterator[DateMention]:
    """Keep the best of each overlapping pair; ``found`` is small, so a sweep over sorted spans is enough."""
    found.sort(key=lambda m: (m.start, _RANK[m.precision], -m.end))
    kept: DateMention | None = None
    for mention in found:
        if kept is None or mention.start >= kept.end:
            if kept is not None:
                yield kept
            kept = mention
        elif (_RANK[mention.precision], kept.start - kept.end) < (_RANK[kept.precision], mention.start - mention.end):
            kept = mention
    if kept is not None:
        yield kept
