"""Dates in the languages that a data room of another country brings.

"1er janvier 2020", "15 de marzo de 2021", "2020年3月5日", "令和6年5月1日", "2024년 3월 5일". The months of English and
German are read by ``dates/months.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tasks.legaltext.dates.values import date_mention, read_year
from tasks.legaltext.months import FOREIGN
from tasks.legaltext.records import DateMention

# Read backwards from a year: years are rare, so an English contract pays for one search.
_YEAR: Final = re.compile(r"(?:1[5-9]|2[0-2])\d{2}(?![\w]|[.,]\d)")
_BEFORE: Final = re.compile(
    r"(?:(?<![\w.,/-])(?P<d>\d{1,2})(?:\s?(?:er|ère|º|°|ª)|\.)?\s(?:de\s|del\s)?)?"
    rf"(?<![^\W\d_])(?P<m>{'|'.join(sorted(FOREIGN, key=len, reverse=True))})\.?"
    r"\s(?:de\s|del\s)?(?:l['\u2019]an(?:n[ée]e)?\s)?$",
    re.IGNORECASE,
)
_LOOKBACK: Final = 40  # characters before a year that hold day and month in any language read
# The year before the first of each era.
_ERAS: Final = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867, "民國": 1911, "民国": 1911}
_EAST: Final = re.compile(
    r"(?:(?P<era>令和|平成|昭和|大正|明治|民國|民国)\s?(?P<n>\d{1,3}|元)|(?<!\d)(?P<y>\d{4}))\s?[年년]"
    r"(?:\s?(?P<m>\d{1,2})\s?[月월](?:\s?(?P<d>\d{1,2})\s?[日號号일])?)"
)


def foreign_dates(text: str) -> Iterator[DateMention]:
    """Yield the dates whose month is named in another language."""
    if "年" in text or "년" in text:
        yield from _east(text)
    for year in _YEAR.finditer(text):
        lower = max(0, year.start() - _LOOKBACK)
        before = _BEFORE.search(text[lower : year.start()]) if text[year.start() - 1 : year.start()] == " " else None
        if before:
            day = int(before["d"]) if before["d"] else None
            month = FOREIGN[before["m"].lower()]
            made = date_mention(text, lower + before.start(), year.end(), year=int(year[0]), month=month, day=day)
            if made:
                yield made


def _east(text: str) -> Iterator[DateMention]:
    for match in _EAST.finditer(text):
        if match["era"]:
            year: int | None = _ERAS[match["era"]] + (1 if match["n"] == "元" else int(match["n"]))
        else:
            year = read_year(match["y"])
        day = int(match["d"]) if match["d"] else None
        month = int(match["m"]) if match["m"] else None
        made = date_mention(text, *match.span(), year=year, month=month, day=day) if year else None
        if made:
            yield made
