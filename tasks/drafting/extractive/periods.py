"""Renewal terms, and the notice that prevents a renewal, as durations."""

from __future__ import annotations

import re

from tasks.drafting.extractive.find_provision import Candidate, Found
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.typed_value import Typed
from tasks.legaltext.records import Window
from tasks.legaltext.windows.scan import scan_windows

_RENEWS = re.compile(
    r"\b(?:renew\w*|extend\w*|extension|successive|additional|consecutive|further|subsequent|year[- ]to[- ]year)\b",
    re.I,
)
_NOTICE = re.compile(r"\bnot(?:ice|if\w+)\b", re.I)
_ENDED = re.compile(r"\bunless\b[^.;]{0,80}\b(?:terminated|cancell?ed|elects?)\b", re.I)
# Characters around a period in which it is told what it is for; chosen by eye on the development contracts.
_NOTICE_REACH, _LEAD, _RENEWAL = (90, 110), 14, 40
# A period that counts back from the end of a term: "ninety (90) days prior to the end of the initial term".
_BY_THE_END = re.compile(
    r"\W*(?:\w+ )?(?:prior to|before|in advance of)\b[^.;]{0,50}"
    r"\b(?:end|expir\w*|terminat\w*|renew\w*|anniversary|term)\b",
    re.I,
)


def renewal(_: SentencedDocument, found: Found) -> Typed:
    """Return the length of a renewal term, and whether renewals repeat."""
    for candidate in _ranked(found):
        text = candidate.unit.text
        repeated = bool(
            re.search(
                r"\b(?:successive|consecutive|each|additional \w+ \(?\w*\)? ?\w* periods|year[- ]to[- ]year)\b",
                text,
                re.I,
            )
        )
        window = _renewal_window(text)
        if window is not None:
            plural = "" if window.n == 1 else "s"
            prefix = "successive " if repeated else ""
            suffix = " periods" if repeated else ""
            return Typed(f"{prefix}{window.n} {window.unit}{plural}{suffix}", support=(candidate.unit,))
        if re.search(r"\byear[- ]to[- ]year\b|\bannual(?:ly)?\b|\beach year\b", text, re.I):
            return Typed("successive 1 year periods (year to year)", support=(candidate.unit,))
        if re.search(r"\bmonth[- ]to[- ]month\b", text, re.I):
            return Typed("successive 1 month periods (month to month)", support=(candidate.unit,))
        if re.search(r"\b(?:indefinite|perpetual|perpetuity|until terminated|until (?:either|one) )", text, re.I):
            return Typed("perpetual: it continues until terminated", support=(candidate.unit,))
    if found.chosen:
        best = _ranked(found)[0]
        return Typed("Yes; the clause fixes no length", support=(best.unit,), certain=False)
    return Typed()


def renewal_notice(_: SentencedDocument, found: Found) -> Typed:
    """Return the notice that stops a renewal; if its length cannot be read, say that notice is due."""
    for candidate in _ranked(found):
        text = candidate.unit.text
        for window in scan_windows(text):
            around = text[max(0, window.start - _NOTICE_REACH[0]) : window.end + _NOTICE_REACH[1]]
            told = _NOTICE.search(around) or (_NOTICE.search(text) and _BY_THE_END.match(text[window.end :]))
            ended = _ENDED.search(text[: window.start]) and _BY_THE_END.match(text[window.end :])
            if (told or ended) and not _is_renewal_period(text, window):
                plural = "" if window.n == 1 else "s"
                return Typed(f"{window.n} {window.unit}{plural}", support=(candidate.unit,))
    for candidate in _ranked(found)[:1]:
        return Typed("Notice is due; its length cannot be read", support=(candidate.unit,), certain=False)
    return Typed()


def _ranked(found: Found) -> list[Candidate]:
    return sorted(found.chosen, key=lambda c: (-c.score, c.unit.start))


def _renewal_window(text: str) -> Window | None:
    """Return the renewal period: the first period after the words of renewal that is not a notice period."""
    first = _RENEWS.search(text)
    if first is None:
        return None
    windows = [w for w in scan_windows(text) if w.unit in {"year", "month", "week", "day", "quarter"}]
    after = [w for w in windows if w.end >= first.start() and not _is_notice(text, w)]
    return after[0] if after else None


def _is_notice(text: str, window: Window) -> bool:
    return bool(
        re.search(r"\bnotice\b|\bnotif|\bprior to\b|\bbefore\b", text[window.end : window.end + 45], re.I)
    ) or bool(
        re.search(
            r"\b(?:at least|notice of|less than|within)\W*$", text[max(0, window.start - _LEAD) : window.start], re.I
        )
    )


def _is_renewal_period(text: str, window: Window) -> bool:
    before = text[max(0, window.start - _RENEWAL) : window.start]
    if re.search(
        r"(?<!-)\b(?:successive|additional|renewal|consecutive|further"
        r"|extension)\W+(?:\w+\W+){0,3}$",
        before,
        re.I,
    ):
        return not re.search(r"\b(?:less|least|notice|within)\b\W*(?:than\W*)?$", before, re.I)
    return bool(
        re.search(r"\b(?:term|period)s?\b", text[window.end : window.end + 9], re.I) and not _is_notice(text, window)
    )
