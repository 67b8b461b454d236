"""First ends that borrow their month or year: "5–7 May 2024", "January to March 2024", "April, May and June 2023"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tasks.legaltext.dates.values import date_mention
from tasks.legaltext.months import NUMBERS
from tasks.legaltext.records import DateMention

_JOIN: Final = (
    r"(?P<join>\s?[-/\u2010-\u2014]\s?|\s(?:to|through|thru|until|till)\s(?:and\sincluding\s)?|\s?,\s|,?\s(?:and|or|&)\s)"
    r"(?:the\s)?$"
)
# In title case only: "may" and "march" in lower case are verbs.
_TITLES: Final = sorted({form for name in NUMBERS for form in (name.title(), name.upper())}, key=len, reverse=True)
_MONTH_BEFORE: Final = re.compile(rf"(?<![^\W\d_])(?P<m>{'|'.join(_TITLES)})\.?{_JOIN}")
_DAY_BEFORE: Final = re.compile(rf"(?<![\w.,/$§#\-])(?P<d>\d{{1,2}})(?:st|nd|rd|th)?{_JOIN}", re.IGNORECASE)
# "Schedules 5 and 7 May 2024", "Tranche 1 and 3 May 2024": a figure behind such a word numbers a thing.
_DATING: Final = re.compile(
    r"(?:^|[\n(\"“;:]|\b(?:on|between|from|the|of|dated?|both|by|and|either|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,?"
    r"|(?:st|nd|rd|th|\d),))\s?$",
    re.IGNORECASE,
)
_LISTED: Final = re.compile(r"and|or|&|,")
_LOOKBACK: Final = 28  # characters before a date in which the days joined to it stand
_MOST: Final = 12  # days joined in one list; bounds a hostile one
_DATING_REACH: Final = 14  # characters before the first day of a list in which "dated" or the like ends; chosen by eye


def with_joined_dates(text: str, dates: list[DateMention]) -> list[DateMention]:
    """Add the days and months that stand before a date and share its month or year."""
    out: list[DateMention] = []
    for date in dates:
        floor = out[-1].end if out else 0
        out.extend(reversed([*_joined(text, date, floor)]))
        out.append(date)
    return out


def _joined(text: str, date: DateMention, floor: int) -> Iterator[DateMention]:
    """Yield the dates joined to one, from the nearest backwards."""
    if not any(letter.isalpha() for letter in date.text):
        return
    reader = {"day": _day_before, "month": _month_before}.get(date.precision)
    for _ in range(_MOST):
        earlier = reader(text, date, floor) if reader else None
        if earlier is None:
            return
        yield earlier
        date = earlier


def _day_before(text: str, date: DateMention, floor: int) -> DateMention | None:
    if not date.text[:1].isdigit() or "-" in date.text[:4]:
        return None
    lower = max(floor, date.start - _LOOKBACK)
    match = _DAY_BEFORE.search(text[lower : date.start])
    if match is None or int(match["d"]) >= int(date.iso[8:]):
        return None
    start = lower + match.start()
    if _LISTED.search(match["join"]) and not _DATING.search(text[max(0, start - _DATING_REACH) : start]):
        return None
    year, month = int(date.iso[:4]), int(date.iso[5:7])
    return date_mention(text, start, lower + match.start("join"), year=year, month=month, day=int(match["d"]))


def _month_before(text: str, date: DateMention, floor: int) -> DateMention | None:
    lower = max(floor, date.start - _LOOKBACK)
    match = _MONTH_BEFORE.search(text[lower : date.start])
    if match is None:
        return None
    month, year = NUMBERS[match["m"].lower()], int(date.iso[:4])
    if month >= int(date.iso[5:]):
        if _LISTED.search(match["join"]):
            return None
        year -= 1  # "November to February 2024" begins in 2023
    return date_mention(text, lower + match.start(), lower + match.start("join"), year=year, month=month)
