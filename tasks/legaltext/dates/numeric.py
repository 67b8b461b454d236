"""Dates in figures alone: ISO, slashes, dots, hyphens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tasks.legaltext.dates.values import date_mention, read_year, valid_day
from tasks.legaltext.records import DateMention

# A class in front and the look behind it after the first figure: so the engine can skip ahead to a figure.
_YEAR_FIRST: Final = re.compile(
    r"(?P<y>[12](?<![\w.\-].)(?<!(?<!\d\d-\d\d)/.)\d{3})(?P<s>[-/.\u2011])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?!\d|/(?![12]\d{3}-)|[-.]\d)"
)
_YEAR_LAST: Final = re.compile(
    r"(?P<a>\d(?<![\w/.\-].)\d?)(?P<gap>\s?)(?P<s>[-/.\u2011])(?P=gap)(?P<b>\d{1,2})(?P=gap)(?P=s)(?P=gap)"
    r"(?P<y>[12]\d{3}|['\u2019]?\d{2})(?![\d/]|[-.]\d|%|[A-Z]\b)"
)
_MONTH_SLASH: Final = re.compile(r"(?P<m>\d(?<![\w/.\-].)\d?)/(?P<y>(?:19|20)\d{2})(?![\w/]|[-.]\d)")
_ISO_MONTH: Final = re.compile(
    r"(?P<y>[12](?<![\w/.\-].)(?:(?<=1)9|(?<=2)0)\d{2})-(?P<m>0[1-9]|1[0-2])(?![\w/]|[-.]\d)"
)
# "No. 2004-05", "§ 10.10.24" and "Release 33.10.12" are numbers of things.
_NUMBERED: Final = re.compile(
    r"(?:\b(?:No|Nos|Number|Section|Sec|Clause|Article|Art|Rule|Release|Rul|Proc|Notice|Docket|Form|Exhibit|version|v)"
    r"\.?|[§#])\s{0,2}$",
    re.IGNORECASE,
)
_NUMBERED_REACH: Final = 14  # characters before a figure in which a word that numbers ("Section") ends; chosen by eye


def numeric_dates(text: str, default_order: str) -> Iterator[DateMention]:
    """Yield the dates written in figures."""
    for match in _YEAR_FIRST.finditer(text):
        made = date_mention(text, *match.span(), year=int(match["y"]), month=int(match["m"]), day=int(match["d"]))
        if made:
            yield made
    for match in _YEAR_LAST.finditer(text):
        made = _year_last(text, match, default_order)
        if made:
            yield made
    for match in _MONTH_SLASH.finditer(text):
        made = date_mention(text, *match.span(), year=int(match["y"]), month=int(match["m"]))
        if made:
            yield made
    for match in _ISO_MONTH.finditer(text):
        year, month = int(match["y"]), int(match["m"])
        # "2010-11" names a season or a pair of years as readily as a month.
        if month != (year + 1) % 100 and not _numbered(text, match.start()):
            made = date_mention(text, *match.span(), year=year, month=month)
            if made:
                yield made


def _year_last(text: str, match: re.Match[str], default_order: str) -> DateMention | None:
    first, second, separator = int(match["a"]), int(match["b"]), match["s"]
    raw_year = match["y"]
    if len(raw_year) == 2 and separator == "." and not (len(match["a"]) == len(match["b"]) == 2):
        return None  # 1.2.24 is a clause number
    if (
        len(raw_year) == 2
        and separator in "-\u2011"
        and (match["gap"] or not (len(match["a"]) == len(match["b"]) == 2))
    ):
        return None  # 10-5-20 is a score or a range
    if match["gap"] and separator != "/":
        return None
    if separator != "/" and _numbered(text, match.start()):
        return None
    year = read_year(raw_year)
    if year is None:
        return None
    day_first = separator == "." or default_order != "us"
    readings = ((second, first), (first, second)) if day_first else ((first, second), (second, first))
    made = [
        one
        for month, day in dict.fromkeys(readings)
        if valid_day(year, month, day) and (one := date_mention(text, *match.span(), year=year, month=month, day=day))
    ]
    if len(made) == 2 and separator != ".":
        return made[0].model_copy(update={"also": made[1].iso})
    return made[0] if made else None


def _numbered(text: str, start: int) -> bool:
    return _NUMBERED.search(text[max(0, start - _NUMBERED_REACH) : start]) is not None
