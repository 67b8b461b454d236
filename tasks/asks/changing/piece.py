"""A piece of a brief, and the values in it: figures, days, names, quoted words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tasks.asks.changing.record import Change
from tasks.asks.changing.words import COMPANY, HEAD, QUOTED, STOP, VALUE, WANTED
from tasks.asks.moods import Mood, mood_of
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.parts_of_speech import tagged

_TOLD_MOODS = (Mood.NAME, Mood.REQUEST, Mood.WISH, Mood.HANGING)
_PAST = frozenset({"VBD", "VHD", "VDD"})  # of other verbs the tagger takes participles for pasts
_PERSONS = frozenset({"i", "we", "you", "us", "our"})  # who tells of herself and asks nothing of the paper
_APART = 3  # characters: a space and a bracket part two halves of one value ("thirty (30)"), more parts two values
_TAIL = re.compile(r"\)?(?:[ -]*(?:calendar |business |working )?(?:days?|weeks?|months?|quarters?|years?)\b)?", re.I)


@dataclass(frozen=True)
class BriefPiece:
    """A piece of a brief: with its quotations hidden, as it stands, and whether it states what is to be."""

    masked: str
    plain: str
    base: Change
    wanted: bool

    def values(self, hidden: str) -> Iterator[tuple[int, int]]:
        """Yield the stretches of the figures, days and quotations of a piece in order, a pair of forms as one."""
        text = "".join(" " if c == STOP else c for c in self.plain)
        days = [(d.start, d.end) for d in scan_dates(text)]
        figures = [(f.start, f.end) for f in scan_numbers(text) if not any(a < f.end and f.start < b for a, b in days)]
        quoted = [m.span() for m in re.finditer(QUOTED, hidden)]
        last: tuple[int, int] | None = None
        for a, b in sorted([*days, *figures, *quoted]):
            if not hidden[a:b].strip():
                continue
            if last and a - last[1] < _APART and not hidden[last[1] : a].strip(" ()"):
                last = (last[0], b)
                continue
            if last:
                yield last
            last = (a, b)
        if last:
            yield last

    def said(self, match: re.Match[str], name: str) -> str:
        """Return the words of a named group as they stand; empty where the pattern has no such group."""
        return self.plain[match.start(name) : match.end(name)].strip(" ,.:;()") if name in match.re.groupindex else ""

    def asks(self) -> bool:
        """Tell whether the piece says what is to be, and not what is."""
        if self.wanted or WANTED.search(self.masked):
            return True
        words = tagged(self.plain[:HEAD])
        return mood_of(words) in _TOLD_MOODS or not any(w.tag in _PAST or w.text.lower() in _PERSONS for w in words)

    def value(self, match: re.Match[str], name: str) -> str:
        """Return the quoted words of the old or the new side of a change, or the side as the brief writes it."""
        if name not in match.re.groupindex:
            return ""
        inner = re.search(QUOTED, match[name])
        if inner:
            at = match.start(name)
            return self.plain[at + inner.start() + 1 : at + inner.end() - 1]
        said = " ".join(self.plain[match.start(name) : match.end(name)].split()).strip(" ,:-–—")
        first = re.split(r"\s[-–—]{1,2}\s", said)[0]  # "Delaware - the law only"
        said = first if name == "new" and VALUE.search(first) else said
        said = said.removesuffix(")") if said.count("(") < said.count(")") else said
        return said if COMPANY.search(said) else said.rstrip(" .;")


def tail(rest: str) -> str:
    """Return the bracket and the unit of time that go with a figure."""
    found = _TAIL.match(rest)
    return found[0] if found else ""
