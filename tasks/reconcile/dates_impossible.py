"""Dates that cannot be, such as "June 31, 2024": no scanner reads them, so the gate looks for them itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from tasks.reconcile.records import Finding
from tasks.sources.scan.dates import scan_dates

_MONTH: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    r"Nov(?:ember)?|Dec(?:ember)?)"
)
_SHAPED: Final = re.compile(
    rf"\b(?:{_MONTH}\.?\s(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<y1>[12]\d{{3}})"
    rf"|(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?:\sday)?(?:\sof)?\s{_MONTH}\.?,?\s(?P<y2>[12]\d{{3}})"
    r"|[12]\d{3}-\d{2}-\d{2}|\d{1,2}/\d{1,2}/(?:[12]\d{3}|\d{2}))(?![\w]|[-/]\d)"
)


def impossible_dates(deliverable: str, text: str, sources: Mapping[str, str]) -> Iterator[Finding]:
    """Yield a finding for each thing written as a date that the calendar does not have and no source repeats."""
    for match in _SHAPED.finditer(text):
        if scan_dates(match[0]) or any(match[0] in source for source in sources.values()):
            continue
        start = text.rfind("\n", 0, match.start()) + 1
        end = text.find("\n", match.end())
        yield Finding(
            gate="date",
            kind="unsourced",
            severity="flag",
            deliverable=deliverable,
            text=match[0],
            start=match.start(),
            end=match.end(),
            sentence=text[start : end if end >= 0 else len(text)].strip()[:600],
            checked=f"“{match[0]}” was checked against the calendar; there is no such day.",
            remedy="Correct the date.",
        )
