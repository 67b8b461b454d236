"""Building date mentions: years with a pivot, valid days, ISO forms."""

from __future__ import annotations

import calendar

from tasks.legaltext.numbers.spelling import words_to_int
from tasks.legaltext.records import DateMention

EARLIEST_YEAR = 1500  # earlier numbers are not read as years; chosen by eye
LATEST_YEAR = 2299  # later numbers are not read as years; chosen by eye
LONGEST_PERIOD = 1_200  # of any unit; a larger number before a unit of time is no period of a contract; by eye
# POSIX pivot: 00-68 are of this century. A fixed pivot, because today must not leak into a reading.
PIVOT = 69
_MONTHS = 12  # of a year


def read_year(raw: str) -> int | None:
    """Read ``2024``, ``24``, ``'24`` or ``two thousand and four``; None where it is not a plausible year."""
    raw = raw.strip(" '\u2019\u2018")
    if raw.isdecimal() and raw.isascii():
        year = int(raw)
        if len(raw) == 2:
            year += 2000 if year < PIVOT else 1900
        elif len(raw) != 4:
            return None
    else:
        worded = words_to_int(raw)
        if worded is None:
            return None
        year = worded
    return year if EARLIEST_YEAR <= year <= LATEST_YEAR else None


def valid_day(year: int | None, month: int, day: int) -> bool:
    """Say whether the day exists; without a year February may have 29 days."""
    if not 1 <= month <= _MONTHS:
        return False
    return 1 <= day <= calendar.monthrange(year or 2000, month)[1]


def date_mention(
    text: str, start: int, end: int, *, year: int | None = None, month: int | None = None, day: int | None = None
) -> DateMention | None:
    """Make the mention that the known components allow, or None where they make no date."""
    if month is not None and day is not None:
        if not valid_day(year, month, day):
            return None
        if year is None:
            iso = f"--{month:02d}-{day:02d}"
            return DateMention(start=start, end=end, text=text[start:end], iso=iso, precision="day_of_year")
        iso = f"{year:04d}-{month:02d}-{day:02d}"
        return DateMention(start=start, end=end, text=text[start:end], iso=iso, precision="day")
    if year is None:
        return None
    if month is not None:
        if not 1 <= month <= _MONTHS:
            return None
        return DateMention(start=start, end=end, text=text[start:end], iso=f"{year:04d}-{month:02d}", precision="month")
    return DateMention(start=start, end=end, text=text[start:end], iso=f"{year:04d}", precision="year")
