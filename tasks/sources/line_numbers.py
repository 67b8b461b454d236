"""Transcripts: the numbers of lines are taken out of the words, and each line keeps its place (page and line)."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.sources.builder import Reading, placed
from tasks.sources.records import Segment, SegmentKind

_TOKEN = re.compile(r"(?<!\S)(\d{1,2})(?![^\s])[ \t]*")
_SPOKEN = re.compile(r"(?<!\S)\d{1,2}[ \t]+(?P<who>[QA])\b[.:]?\s{1,6}(?=[A-Z])")  # right behind the number of a line
_LEAST_LINES, _LEAST_SPOKEN = 12, 2  # numbered lines, and questions as well as answers, that make a transcript
_FULL = 8  # lines from which a page may end: what follows it begins with 1 again
_NEAR = 200  # characters within which the number of the next line stands
_LAST_LINE = 28  # of a page
_ABOVE = 60  # characters above a first line, in which the number of the page and white space stand; chosen by eye
_PAGE = re.compile(r"(?:^|\n)[ \t]*(\d{1,4})[ \t]*\n\s*$")
PLACE = re.compile(r"\d{1,4}:\d{1,2}")


@dataclass(frozen=True)
class _Line:
    start: int  # of its number
    words: int  # where its words begin
    page: int
    number: int


def without_line_numbers(reading: Reading) -> Reading:
    """Return a transcript without the numbers of its lines, each line a segment ``page:line``; any other as it is."""
    spoken = _SPOKEN.findall(reading.text)
    if min(spoken.count("Q"), spoken.count("A")) < _LEAST_SPOKEN:
        return reading
    lines = list(_lines(reading))
    if len(lines) < _LEAST_LINES:
        return reading
    cuts = sorted({*((n.start, n.words) for n in lines), *_printed(reading.text, lines)})
    ends = [b for _, b in cuts]
    gone = [0, *itertools.accumulate(b - a for a, b in cuts)]

    def moved(offset: int) -> int:
        at = bisect.bisect_right(ends, offset)
        inside = offset - cuts[at][0] if at < len(cuts) and cuts[at][0] < offset else 0
        return offset - gone[at] - inside

    kept_stretches = zip([0, *ends], [*(a for a, _ in cuts), len(reading.text)], strict=True)
    text = "".join(reading.text[a:b] for a, b in kept_stretches)
    stops = [*(n.start for n in lines[1:]), len(reading.text)]
    own = [
        Segment(kind=SegmentKind.PARAGRAPH, label=f"{n.page}:{n.number}", start=moved(n.words), end=moved(stop))
        for n, stop in zip(lines, stops, strict=True)
    ]
    kept = [placed(s, moved(s.start), moved(s.end)) for s in reading.segments if s.kind is not SegmentKind.PARAGRAPH]
    return Reading(text, (*kept, *own), reading.problems)


def _lines(reading: Reading) -> Iterator[_Line]:
    """Yield the numbered lines: numbers that count up, and begin again on every page."""
    text, expected, page, at = reading.text, 1, 0, 0
    while (match := _next(text, at, expected)) is not None:
        number = int(match[1])
        page = max(page + 1, _page_at(reading, match.start(), page + 1)) if number == 1 else page
        yield _Line(match.start(), match.end(), page, number)
        expected, at = number + 1, match.end()


def _next(text: str, at: int, expected: int) -> re.Match[str] | None:
    """Return the number of the next line: at the beginning of a line rather than within one."""
    reach = len(text) if expected == 1 and not at else at + _NEAR
    wanted = {expected} | ({1} if expected > _FULL else set())
    found = [m for m in _TOKEN.finditer(text, at, min(len(text), reach)) if int(m[1]) in wanted]
    opening = [m for m in found if not text[text.rfind("\n", 0, m.start()) + 1 : m.start()].strip()]
    chosen = next(iter(opening or found), None)
    return chosen if chosen is not None and expected <= _LAST_LINE + 1 else None


def _page_at(reading: Reading, at: int, counted: int) -> int:
    """Return the page: as printed above its first line, else as the file counts its pages, else as counted here."""
    printed = _PAGE.search(reading.text[max(0, at - _ABOVE) : at])
    if printed:
        return int(printed[1])
    page = next((s.label for s in reading.segments if s.kind is SegmentKind.PAGE and s.start <= at < s.end), "")
    number = re.search(r"\d+", page)
    return int(number[0]) if number else counted


def _printed(text: str, lines: Sequence[_Line]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of pages that stand alone above a first line."""
    for line in lines:
        window = max(0, line.start - _ABOVE)
        printed = _PAGE.search(text[window : line.start]) if line.number == 1 else None
        if printed:
            yield window + printed.start(1), window + printed.end(1)
