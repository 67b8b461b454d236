"""A period of notice for a known end day: it is counted back from that day."""

from __future__ import annotations

import re

from tasks.drafting.extractive.due.search import Period
from tasks.legaltext.dates.scan import scan_dates

_BEHIND = re.compile(
    r"['’]?s?['’]?,? (?:(?:or more|and|prior|advance|previous|written) ){0,4}noti(?:ce|fication)\b", re.I
)
_AHEAD = re.compile(r"\bnoti(?:ce|fication)\b[^.;]{0,40}$", re.I)
_ENDS = re.compile(
    r"(?:,\s*)?\b(?:if|so that|in order|for|to)\b[^?;]{0,160}?\b(?:end|ends|ended|ending|terminat\w*|leave|exit|stop"
    r"|quit|cease|expires?|be over|(?:be|get|walk) (?:out|away))\b[^?;]*",
    re.I,
)
_GIVEN = re.compile(r"\bnoti(?:ce|fy|fication)\b", re.I)


def ahead_of_end(words: str, period: Period) -> Period:
    """Return a period of notice as one before the day on which a question wants something to end; others as they are.

    "By when must notice be out if we want to end on 30 June" asks for the day before, and "when does it end if we give
    notice on 1 May" for the day after.

    Args:
        words: The question.
        period: The period of the papers that fits it.
    """
    end = next((m for m in _ENDS.finditer(words) if scan_dates(m[0])), None)
    if end is None or not _GIVEN.search(words.replace(end[0], " ")) or not _is_of_notice(period):
        return period
    return period.counted_back()


def _is_of_notice(period: Period) -> bool:
    text = period.reading.text.text[period.unit.start : period.unit.pieces[-1][1]]
    ahead, behind = text[: period.window.start], text[period.window.end :]
    return bool(_BEHIND.match(behind) or _AHEAD.search(ahead))
