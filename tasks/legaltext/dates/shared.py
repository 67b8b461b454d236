"""Dates that share a year: "January 1 through December 31, 2024", "March 31, June 30 and September 30, 2024"."""

from __future__ import annotations

import re
from typing import Final

from tasks.legaltext.dates.values import valid_day
from tasks.legaltext.records import DateMention

_RANGE: Final = re.compile(
    r"\s{0,2},?\s{0,2}(?:to|through|thru|until|till|[-\u2013\u2014])(?:\s(?:and\s)?including)?\s{0,2}(?:the\s)?",
    re.IGNORECASE,
)
_LIST: Final = re.compile(r"\s{0,2}(?:,|,?\s(?:and|or|&))\s{1,2}", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"\bbetween\s{1,2}$", re.IGNORECASE)
_BETWEEN_REACH: Final = 10  # characters: "between", two spaces and what stands before it


def with_shared_years(text: str, dates: list[DateMention]) -> list[DateMention]:
    """Give a day without a year the year of the date it is joined with.

    The first end of a range takes the year of the second, or the year before where it would else lie after it
    ("November 1 through March 31, 2025" begins in 2024). In a list only earlier days take the year.
    """
    out = list(dates)
    for n in range(len(out) - 2, -1, -1):
        first, second = out[n], out[n + 1]
        if first.precision != "day_of_year" or second.precision != "day":
            continue
        between = text[first.end : second.start]
        ordered = first.iso[2:] <= second.iso[5:]
        ranged = _RANGE.fullmatch(between) or (
            _LIST.fullmatch(between) and _BETWEEN.search(text[max(0, first.start - _BETWEEN_REACH) : first.start])
        )
        if not ranged and not (ordered and _LIST.fullmatch(between)):
            continue
        year = int(second.iso[:4]) - (0 if ordered else 1)
        if valid_day(year, int(first.iso[2:4]), int(first.iso[5:7])):
            out[n] = first.model_copy(update={"iso": f"{year:04d}-{first.iso[2:]}", "precision": "day"})
    return out
