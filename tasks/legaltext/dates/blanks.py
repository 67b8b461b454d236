"""Scanning text as it reads: runs of blanks count as one, invisible characters as none, offsets stay the reader's."""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Final, TypeVar

from tasks.legaltext.records import CitationMention, DateMention, Window

M = TypeVar("M", DateMention, Window, CitationMention)
_INVISIBLE: Final = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
_GAP: Final = rf"[\s{_INVISIBLE}]"
# A run of two or more, or one that is neither space nor line feed; one class in front lets the engine skip ahead.
_ODD: Final = re.compile(rf"{_GAP}(?:(?<=[^ \n])|(?={_GAP})){_GAP}*+")
_SHOWN: Final = re.compile(r"\s")


def scan_squeezed(text: str, scan: Callable[[str], list[M]]) -> list[M]:
    """Run a scanner over the text with its blanks squeezed, and give back offsets into the text itself.

    Justified columns, line wraps, non-breaking spaces and zero-width characters then need no place in any pattern.
    A wrap stays one line feed and a blank line two, for the scanners that care.
    """
    squeezed, starts, shifts = _squeeze(text)
    if not starts:
        return scan(text)

    def original(offset: int) -> int:
        at = bisect.bisect_right(starts, offset) - 1
        return offset + (shifts[at] if at >= 0 else 0)

    found = []
    for mention in scan(squeezed):
        start, end = original(mention.start), original(mention.end - 1) + 1
        found.append(mention.model_copy(update={"start": start, "end": end, "text": text[start:end]}))
    return found


@lru_cache(maxsize=1)
def _squeeze(text: str) -> tuple[str, list[int], list[int]]:
    """Return the squeezed text, offsets in it, and what to add to an offset from each of them on.

    The last text is kept, as one text goes through one scanner after the other.
    """
    pieces: list[str] = []
    starts: list[int] = []
    shifts: list[int] = []
    last = length = 0
    for match in _ODD.finditer(text):
        pieces.append(text[last : match.start()])
        new = _replacement(match[0])
        pieces.append(new)
        length += match.start() - last + len(new)
        last = match.end()
        starts.append(length)
        shifts.append(last - length)
    pieces.append(text[last:])
    return "".join(pieces), starts, shifts


def _replacement(run: str) -> str:
    feeds = run.count("\n")
    if feeds:
        return "\n" if feeds == 1 else "\n\n"
    return " " if _SHOWN.search(run) else ""


def places(text: str, seed: str) -> Iterator[int]:
    """Yield where a literal stands."""
    at = text.find(seed)
    while at >= 0:
        yield at
        at = text.find(seed, at + len(seed))


def stretches(spots: Iterable[int], size: int, reach: int, beyond: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches around some places of a text, merged where they meet."""
    low = high = -1
    for spot in sorted(spots):
        if spot - reach > high:
            if high >= 0:
                yield low, high
            low = max(0, spot - reach)
        high = min(size, spot + beyond)
    if high >= 0:
        yield low, high
