"""The clauses of a brief: where one ends and the next begins, which list it is an item of, and what only leads on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.asks.cues import BriefCues
from tasks.legaltext.sentences import BRIEF, sentences

Span = tuple[int, int]
_NONE: Span = (0, 0)
_NUMBER = r"(?:\((?:[a-z]|[ivx]{1,4}|\d{1,2})\)|(?:\d{1,2}|[a-z])[.)])"
_BULLET = re.compile(rf"\s*(?:[-*•–]|{_NUMBER})\s+", re.I)
_INLINE = re.compile(rf"(?:(?<=[\s,;:])|^){_NUMBER}\s+(?=\S)", re.I)
_SERIES = re.compile(r"\s*;\s*(?:and\s+|or\s+)?")
_TAIL = 5  # words; a longer part without a verb is a thing that is asked for
_EDGE = " \t\n,;:.?!–—-"


@dataclass(frozen=True)
class Clause:
    """A clause of a brief.

    Attributes:
        lead: The words that lead to the list of which this is an item: "may the recipient" of "may the recipient
            (a) copy, (b) reverse engineer"; an empty stretch where it is no item.
        item: Whether it is an item of a list: then it asks, whatever its form.
        sentence: The sentence it stands in.
        leads: Whether it is itself a lead.
        question: Whether its sentence ends with a question mark.
    """

    span: Span
    sentence: Span
    lead: Span = _NONE
    item: bool = False
    leads: bool = False
    question: bool = False


def clauses(text: str, cues: BriefCues, kept: Sequence[Span]) -> Iterator[Clause]:
    """Yield the clauses of a brief in its order; together with the marks between them they are the whole brief.

    A sentence is parted at the numbers of a list in it, at its semicolons after a colon, and where a further question
    or request begins. The words before a list are its lead.

    Args:
        text: The brief, with straight marks.
        cues: How briefs ask.
        kept: Stretches that nothing parts: names of provisions.
    """
    lead = _NONE
    found = list(sentences(text, BRIEF))
    for at, (start, end) in enumerate(found):
        bullet = _BULLET.match(text, start, end)
        begin = bullet.end() if bullet else start
        lead = lead if bullet or (lead != _NONE and _goes_on(text, lead, start)) else _NONE
        numbers = [m for m in _INLINE.finditer(text, begin, end)]
        following = found[at + 1] if at + 1 < len(found) else _NONE
        if len(numbers) > 1:
            yield from _numbered(text, begin, end, [m.span() for m in numbers], cues, kept)
        elif _leads(text, begin, end, following):
            lead = whole(text, begin, end)
            yield from _lead_and_clauses(text, lead, cues, kept)
        else:
            yield from _series(text, begin, end, lead, bool(bullet), cues, kept)


def _goes_on(text: str, lead: Span, start: int) -> bool:
    """Tell whether a sentence without a number goes on with the list of a lead: one that ended with a semicolon."""
    before = text[lead[1] : start].rstrip()
    return before.endswith(";") and "\n" not in text[lead[1] : start].strip()


def _leads(text: str, start: int, end: int, following: Span) -> bool:
    """Tell whether a sentence leads to the list that follows it on lines of their own."""
    words = text[start:end].rstrip()
    after = (
        following != _NONE and bool(_BULLET.match(text, *following)) and not _BULLET.match(text, *_line(text, start))
    )
    return words.endswith(":") or (after and not words.endswith((".", "?", "!")))


def _line(text: str, at: int) -> Span:
    """Return the stretch from the beginning of the line of an offset."""
    return text.rfind("\n", 0, at) + 1, len(text)


def _lead_and_clauses(text: str, lead: Span, cues: BriefCues, kept: Sequence[Span]) -> Iterator[Clause]:
    parts = list(_parted(text, *lead, cues, kept))
    for part in parts:
        yield Clause(part, lead, leads=part == parts[-1])


def _numbered(
    text: str, start: int, end: int, numbers: Sequence[Span], cues: BriefCues, kept: Sequence[Span]
) -> Iterator[Clause]:
    """Yield the items of a list whose numbers stand in the sentence, with its lead."""
    head = list(_parted(text, start, numbers[0][0], cues, kept))
    for part in head:
        yield Clause(part, (start, end), leads=part == head[-1])
    lead = head[-1] if head else _NONE
    for at, (_, begin) in enumerate(numbers):
        stop = numbers[at + 1][0] if at + 1 < len(numbers) else end
        for n, part in enumerate(_parted(text, begin, stop, cues, kept)):
            yield Clause(part, (start, end), lead, item=n == 0)


def _series(
    text: str, start: int, end: int, lead: Span, listed: bool, cues: BriefCues, kept: Sequence[Span]
) -> Iterator[Clause]:
    """Yield the clauses of a sentence; after a colon what stands between semicolons are items."""
    sentence, asked = (start, end), text[start:end].rstrip(" )\"'").endswith("?")
    colon = None if listed else re.search(r":\s+", text[start:end])
    if colon is not None:
        head = whole(text, start, start + colon.start())
        parts = list(_parted(text, *head, cues, kept))
        for part in parts:
            yield Clause(part, sentence, leads=part == parts[-1])
        start, lead = start + colon.end(), parts[-1] if parts else _NONE
        listed = cues.asks(text[slice(*head)]) or not cues.tells(text[slice(*head)])
    edges = [start, *(x for m in _SERIES.finditer(text, start, end) for x in m.span()), end]
    for a, b in zip(edges[::2], edges[1::2], strict=True):
        for n, part in enumerate(_parted(text, a, b, cues, kept)):
            yield Clause(part, sentence, lead, item=listed and n == 0, question=asked)


def _parted(text: str, start: int, end: int, cues: BriefCues, kept: Sequence[Span]) -> Iterator[Span]:
    """Part a stretch where a further question or request begins; what asks nothing yet goes with what follows."""
    at = start
    for match in cues.boundary.finditer(text, start, end):
        inside = any(a < match.end() and match.start() < b for a, b in kept)
        asked = match[0].startswith(".") or cues.asks(text[at : match.start()])
        if asked and not inside and not _is_tail(text, match.end(), end, cues):
            yield whole(text, at, match.start())
            at = match.end()
    span = whole(text, at, end)
    if span[0] < span[1]:
        yield span


def _is_tail(text: str, start: int, end: int, cues: BriefCues) -> bool:
    """Tell whether what begins here has no verb of its own and so only asks more of the same: "and at what rate"."""
    following = cues.boundary.search(text, start + 1, end)
    words = text[start : following.start() if following else end]
    return len(words.split()) <= _TAIL and not cues.verb.search(words)


def whole(text: str, start: int, end: int) -> Span:
    """Return a stretch without the blanks and stops at its edges."""
    while start < end and text[start] in _EDGE:
        start += 1
    while end > start and text[end - 1] in _EDGE:
        end -= 1
    return start, end
