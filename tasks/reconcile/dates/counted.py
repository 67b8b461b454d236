"""Arithmetic that a draft shows: a period, the day from which it is counted, and the day to which it leads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.records import DateMention, Figure
from tasks.reconcile.deadlines.months import add_months
from tasks.reconcile.records import Finding

_FROM: Final = re.compile(
    r"\)?\s*(?:(?:[a-z]+\s+)?(?:days?|weeks?|months?|quarters?|years?))?"
    r"\s+(?P<side>after|from|following|before|prior to)\s+(?:\w+\s+){0,3}$",
    re.I,
)
# Between the day that is counted from and the day that is reached stands what it is the day of, and no more steps.
_LEADS: Final = re.compile(r"(?:[^\d:=|.;+]{0,60})[:=]\s*$")
_STEPS: Final = re.compile(
    r"\b(?:plus|minus|less|then|twice|moved|renew\w*|extend\w*|or|later|earlier|longer|shorter)\b", re.I
)
_MONTHS: Final = {"month": 1, "quarter": 3, "year": 12}
_DAYS: Final = {"day": 1, "week": 7}
_ROLLS: Final = 4  # days by which a closed day, and whether the first day counts, may move an end
_KIND: Final = re.compile(r"\b(?:business|working|trading|court|banking|clear)\b", re.I)
_OPEN: Final = 7 / 5  # calendar days to a business day; of holidays there may be one in ten


def miscounted_days(deliverable: str, text: str) -> Iterator[Finding]:
    """Yield a finding for each day that does not follow from the period and the start day that the draft shows.

    "4 years from December 3, 2009: April 15, 2014" is flagged though a source has both days: the sum is wrong.
    """
    at = 0
    for line in text.split("\n"):
        for figure, start, end, words in _shown(line):
            low, high = _reached(figure, start, words)
            if not low <= date.fromisoformat(end.iso) <= high:
                yield _finding(deliverable, line, at, end, f"{words.strip()} {start.text}", low, high)
        at += len(line) + 1


def _shown(line: str) -> Iterator[tuple[Figure, DateMention, DateMention, str]]:
    """Yield the sums of a line: the period, its start day, the stated end day, and the words."""
    days = [d for d in scan_dates(line) if d.precision == "day"]
    lengths = [f for f in scan_numbers(line) if f.kind == "duration" and f.unit in {*_MONTHS, *_DAYS}]
    for start, end in pairwise(days):
        between = line[start.end : end.start]
        if not _LEADS.fullmatch(between) or _STEPS.search(between):
            continue
        figure = next((f for f in reversed(lengths) if f.end <= start.start), None)
        if figure is not None and _FROM.fullmatch(line[figure.end : start.start]):
            yield figure, start, end, line[figure.start : start.start]


def _reached(figure: Figure, start: DateMention, words: str) -> tuple[date, date]:
    """Return the earliest and the latest day to which a period may lead, by the usual ways to count days."""
    base, n = date.fromisoformat(start.iso), int(figure.value)
    back = re.search(r"\b(?:before|prior)\b", words, re.I) is not None
    sign = -1 if back else 1
    if figure.unit in _MONTHS:
        ends = [add_months(base, sign * n * _MONTHS[figure.unit])]
    elif _KIND.search(words):
        ends = [base + timedelta(days=sign * round(n * _OPEN * share)) for share in (0.8, 1.15)]
    else:
        ends = [base + timedelta(days=sign * n * _DAYS[figure.unit])]
    slack = timedelta(days=_ROLLS)
    return min(ends) - slack, max(ends) + slack


def _finding(deliverable: str, line: str, at: int, end: DateMention, shown: str, low: date, high: date) -> Finding:
    middle = low + (high - low) / 2
    return Finding(
        gate="date",
        kind="near_miss",
        deliverable=deliverable,
        text=end.text,
        start=at + end.start,
        end=at + end.end,
        sentence=line.strip()[:600],
        checked=f"“{shown}” was counted again; it leads to about {middle:%B} {middle.day}, {middle.year}.",
        grounding=None,
        remedy="Count again, and correct the day, the period or the day from which it runs.",
    )
