"""The end of a term, of its renewal, and the last day for a notice that ends it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.asks.records import Ask, AskAnswer
from tasks.drafting.extractive.due.counting import answered_with, counted
from tasks.drafting.extractive.due.search import LAST_IF, TERM, TERM_END, Period, papers_named
from tasks.drafting.extractive.due.starts import end_of_term
from tasks.drafting.extractive.due.worked import WorkedDay
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.term import add
from tasks.legaltext.windows.scan import looks_back, scan_windows

RENEWAL = re.compile(r"\brenew\w*|\bextend\w*|\bextension", re.I)
_SAYS = re.compile(r"\bnotice\b|\bnotif\w+|\b(?:tell|say|inform|write|object)\b", re.I)  # how a question names a notice
_WARNS = re.compile(r"['’]? (?:[\w-]+ ){0,3}notice\b[^.;]{0,60}?\b(?:prior to|before)\b", re.I)


def renewed(ask: Ask, room: Room) -> AskAnswer | None:
    """Work out the end of a term, of a renewal of it, or the last day for the notice that ends it."""
    supposed = LAST_IF.search(ask.words)
    words = ask.words[: supposed.start()] if supposed and not RENEWAL.search(supposed[0]) else ask.words
    if not (TERM.search(words) and (TERM_END.search(words) or _SAYS.search(words) or RENEWAL.search(words))):
        return None
    ends = [(r, end) for r in papers_named(ask, room) if (end := end_of_term(r, ask, room))]
    if len(ends) != 1:
        return None
    reading, end = ends[0]
    renewal = _nearest(reading, RENEWAL)
    if _SAYS.search(words) or re.search(r"\bexercis\w+|\boption\b", words, re.I):
        before = [p for p in map(_ahead, renewal) if p.window.direction == "before"]
        return counted(ask, _fitting_best(before, words, room), end, room, certain=end.certain) if before else None
    if (
        RENEWAL.search(words)
        and TERM_END.search(words)
        and not re.search(r"\b(?:nobody|no one|unless|without|not)\b", words, re.I)
    ):
        terms = [p for p in renewal if p.window.direction != "before" and p.window.unit in {"year", "month"}]
        if not terms:
            return None
        times = 2 if re.search(r"\b(?:second|twice)\b", words, re.I) else 1
        day = add(end.day, times * terms[0].window.n, terms[0].window.unit)
        how = f"{end.how}, plus {terms[0].window.text}" + (" twice" if times > 1 else "")
        return answered_with(ask, day, how, [terms[0].unit, *end.units])
    if TERM_END.search(words):
        room.days[ask.ask_id] = WorkedDay(end.day, words, end.units)
        also = [renewal[0].unit] if renewal and RENEWAL.search(words) else []
        return answered_with(ask, end.day, end.how, [*end.units, *also], certain=end.certain)
    return None


def _fitting_best(periods: Sequence[Period], words: str, room: Room) -> Period:
    """Return the period whose clause speaks most of what is asked; of several that do, the shortest."""
    return max(periods, key=lambda p: (round(room.likeness.fit(words, p.unit.text), 1), -p.window.n))


def _ahead(period: Period) -> Period:
    """Return a period of notice as one before what it warns of: "sixty days notice of termination prior to renewal"."""
    text = period.reading.text.text[period.unit.start : period.unit.pieces[-1][1]]
    return period.counted_back() if _WARNS.match(text, period.window.end) else period


def _nearest(reading: SentencedDocument, about: re.Pattern[str]) -> list[Period]:
    texts = ((unit, reading.text.text[unit.start : unit.pieces[-1][1]]) for unit in reading.units)
    return [
        Period(reading, unit, w, 1.0)
        for unit, text in texts
        if about.search(unit.text)
        for w in scan_windows(text)
        if not looks_back(text, w)
    ]
