"""Rows that begin with a date, however their table is drawn: what a docket sheet is made of."""

from __future__ import annotations

import re
from itertools import pairwise

from tasks.drafting.extraction.scanning.cues import Cues
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.months import TITLED_OR_SHORT

_MONTH = rf"{TITLED_OR_SHORT}\.?"
_DATE = (
    rf"\d{{1,2}}[/-]\d{{1,2}}[/-]\d{{2,4}}|\d{{4}}-\d\d-\d\d|{_MONTH} \d{{1,2}},? \d{{4}}|\d{{1,2}} {_MONTH} \d{{4}}"
)
_LINE = re.compile(
    rf"^[^\w\n]*(?:(?P<before>\d{{1,4}})[\s|.)\]:]+)?(?P<date>{_DATE})[\s|:–—-]*(?:[#\[(]?(?P<number>\d{{1,4}}(?!\d*/))[\s|.)\]:]+)?",
    re.IGNORECASE | re.MULTILINE,
)
LEAST = 4  # rows of what is a table of them
_IN_ORDER = 0.8  # of its rows follow one another in time, whichever way
_SPEAK = 0.4  # of its rows begin with what is entered on a docket
_BEGINNING = 40  # characters of a row


def dated_rows(text: str) -> list[re.Match[str]]:
    """Return the starts of the rows that say something after their date."""
    return [match for match in _LINE.finditer(text) if _says_more(text, match)]


def begins_dated(line: str) -> bool:
    """Tell whether a line begins with a date, as a row does."""
    return _LINE.match(line) is not None


def _says_more(text: str, match: re.Match[str]) -> bool:
    """Tell whether words follow the date on its line, as they do in a table but not in the head of a sheet."""
    return len(text[match.end() : text.find("\n", match.end()) % (len(text) + 1)].strip()) > 2


def day_of(match: re.Match[str]) -> str:
    """Return the ISO date of a row; empty where it is none."""
    return next((d.iso for d in scan_dates(match["date"]) if d.precision == "day"), "")


def docketed_from(text: str, cues: Cues) -> int | None:
    """Return where the rows of a docket begin; None where the text is none.

    A docket is dated rows in order of time, most of which begin with what is entered on one.
    """
    rows = dated_rows(text)
    days = [day for row in rows if (day := day_of(row))]
    steps = [before <= after for before, after in pairwise(days)]
    if len(rows) < LEAST or not steps or max(sum(steps), len(steps) - sum(steps)) < _IN_ORDER * len(steps):
        return None
    said = sum(cues.first("entry", text[row.end() : row.end() + _BEGINNING]) is not None for row in rows)
    return rows[0].start() if said >= _SPEAK * len(rows) else None
