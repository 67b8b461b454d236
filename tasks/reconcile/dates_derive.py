"""Dates that follow from others: a source date plus or minus a source window."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from tasks.reconcile.dates_claims import Claim
from tasks.reconcile.dates_match import Match
from tasks.reconcile.dates_sources import Sourced, Sources, length
from tasks.reconcile.deadlines_months import add_months
from tasks.sources.scan.records import DateMention, Window

# Without one of these words (or the source date or window itself) beside it, a coincidence would ground any date.
_CUE: Final = re.compile(
    r"\b(?:expir\w*|due|deadline|derived|calculated|computed|counting|plus|minus|renew\w*|term\b|ends?|until|latest|"
    r"last\s(?:day|date)|no\slater|matur\w*)\b|[=+]",
    re.IGNORECASE,
)


def derive(claim: Claim, text: str, sources: Sources) -> Match | None:
    """Show how a claimed date follows from a source date and a source window of one document.

    Args:
        claim: A date to the day.
        text: The draft.
        sources: The dates and windows of the sources.
    """
    if not isinstance(claim.mention, DateMention) or claim.mention.precision != "day":
        return None
    wanted = date.fromisoformat(claim.mention.iso)
    paragraph = text[claim.paragraph[0] : claim.paragraph[1]]
    cued = _CUE.search(paragraph) is not None
    for document in sorted(claim.documents or sources.texts.keys()):
        if document not in sources.texts:
            continue
        for start, window, due, note in _sums(document, sources):
            if due == wanted and _shown(paragraph, start, window, cued=cued):
                spans = (Sourced(document, start).span, Sourced(document, window).span)
                sign = "-" if window.direction == "before" else "+"
                return Match(
                    None, spans, f"{start.iso} {sign} {window.n} {window.unit}{'s' * (window.n != 1)}{note} = {wanted}"
                )
    return None


def _sum(start: DateMention, window: Window) -> str:
    sign = "-" if window.direction == "before" else "+"
    return f"{start.iso} {sign} {window.n} {window.unit}{'s' if window.n != 1 else ''}"


def _sums(document: str, sources: Sources) -> Iterator[tuple[DateMention, Window, date, str]]:
    for start in {m.iso: m for m in sources.dates[document] if m.precision == "day"}.values():
        base = date.fromisoformat(start.iso)
        for window in {(length(w), w.direction): w for w in sources.windows[document]}.values():
            due = _shift(base, window)
            if due is None:
                continue
            yield start, window, due, ""
            if window.unit in {"year", "month", "quarter"} and window.direction != "before":
                # A year from 1 January ends on 31 December.
                yield start, window, due - timedelta(days=1), " (last day)"


def _shift(base: date, window: Window) -> date | None:
    n, unit = length(window)
    if (
        window.calendar in {"business", "trading", "clear"}
        or unit == "hour"
        or n > 1200
        or (unit == "day" and n > 40000)
    ):
        return None
    sign = -1 if window.direction == "before" else 1
    try:
        return add_months(base, sign * n) if unit == "month" else base + timedelta(days=sign * n)
    except (OverflowError, ValueError):
        return None


def _shown(paragraph: str, start: DateMention, window: Window, *, cued: bool) -> bool:
    """The draft shows its derivation, or says that it is one and the window is a term rather than a few days."""
    if start.text in paragraph or start.iso in paragraph:
        return True
    if re.search(rf"\b{window.n}\W{{0,3}}{window.unit}", paragraph, re.IGNORECASE):
        return True
    return cued and length(window)[1] == "month"
