"""Cited places: the stretches of a document that a citation names by clause or by page."""

from __future__ import annotations

import bisect
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from tasks.reconcile.support.mentions import laws_in
from tasks.reconcile.support.values import FigureValue, values, values_of
from tasks.retrieval.clauses import clause_tree
from tasks.retrieval.records import Clause
from tasks.sources.records import CanonicalText, DocumentState, SegmentKind

_NUMBER: Final = r"(?:\d+(?:\.\d+)*[A-Za-z]?|[IVXLC]+\b)(?:\([A-Za-z0-9]{1,5}\))*"
_SECTIONS: Final = re.compile(
    r"(?:[§¶]+|\b(?:sections?|sec\.|clauses?|cl\.|articles?|art\.|paragraphs?))\s*"
    rf"({_NUMBER}(?:(?:,|\s+and|\s*&|\s*[–-]|\s+to|;)\s*(?:§+\s*)?{_NUMBER}(?!\w))*)",
    re.IGNORECASE,
)
_PARAGRAPHS: Final = re.compile(r"\bparas?\.?\s*(\d{1,3})\b", re.IGNORECASE)  # counted, not numbered
_PARAGRAPH: Final = r"\S(?:[^\n]|\n(?![ \t]*\n))*"
_ONE: Final = re.compile(_NUMBER, re.IGNORECASE)
_PAGES: Final = re.compile(r"\b(?:pp?\.|pages?)\s*(\d{1,4})(?:\s*[–-]\s*(\d{1,4}))?", re.IGNORECASE)
_LINE: Final = re.compile(r"[^\n]*\S[^\n]*")
_REPEATED: Final = 3  # times a line stands in a document from which it is one of its pages, not of its words
_MARGINS: Final = (SegmentKind.HEADER, SegmentKind.FOOTER)
_SMALL: Final = re.compile(r"\([A-Za-z0-9]{1,5}\)$")
_STRUCTURED: Final = 3  # numbered clauses from which a document's own numbers are known
_REACH: Final = 2500  # characters of a clause that the tree does not hold
_LEAD: Final = 600  # characters of a clause that introduce those below it
_ROMAN: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


class Stretch(NamedTuple):
    """A part of a document, ``[start, end)``, and the citation of it."""

    start: int
    end: int
    label: str


class CitedText:
    """A document as citations divide it."""

    def __init__(self, text: CanonicalText, state: DocumentState | None = None) -> None:
        self.canonical = text
        self.text = text.text
        self._state = state
        self._laws: list[tuple[int, int, str]] | None = None

    @cached_property
    def clauses(self) -> Sequence[Clause]:
        """Its clause tree, in reading order."""
        return clause_tree(self.canonical)

    @cached_property
    def _by_number(self) -> Mapping[str, list[Clause]]:
        found: dict[str, list[Clause]] = {}
        for clause in self.clauses:
            for key in {_key(clause.label), _key(clause.number)} - {""}:
                found.setdefault(key, []).append(clause)
        return found

    @cached_property
    def pages(self) -> Mapping[str, list[Stretch]]:
        """Its pages by number; empty where the format has none."""
        found: dict[str, list[Stretch]] = {}
        for segment in self.canonical.segments:
            if segment.kind is SegmentKind.PAGE:
                for number in re.findall(r"\d+", segment.label)[:1]:
                    found.setdefault(number, []).append(Stretch(segment.start, segment.end, segment.label))
        return found

    def missing(self, place: str) -> str:
        """Return the first part of a place that the document does not have; empty where it has all of it."""
        for number in numbers_of(place):
            if not self.section(number):
                return f"section {number}"
        for number in _PARAGRAPHS.findall(place):
            if not self.section(number) and int(number) > len(self.text.split("\n")):
                return f"paragraph {number}"
        for number in _page_numbers(place):
            if self.pages and number not in self.pages:
                return f"page {number}"
        return ""

    def section(self, number: str) -> list[Stretch]:
        """Return every clause with a number; for a subdivision that the tree does not separate, the clause itself."""
        key = _key(number)
        if key in self._by_number:
            return [self._whole(c) for c in self._by_number[key]]
        part = _SMALL.search(number)
        if part:
            return [s for s in self.section(number[: part.start()]) if part[0] in self.text[s.start : s.end]]
        return list(self._printed(number))

    def _whole(self, clause: Clause) -> Stretch:
        return Stretch(clause.start, clause.end, clause.label)

    def _printed(self, number: str) -> Iterator[Stretch]:
        """Find a number that opens a line or stands before a capital; anywhere where the document numbers nothing."""
        known = sum(c.number != "" for c in self.clauses) >= _STRUCTURED
        bare = rf"(?<![\w.$]){re.escape(number)}(?!\d|\.\d|[.,]?\d)"
        opening = rf"(?im:^[ \t#*]*(?:section|article|clause|§)?[ \t]*){bare}|{bare}[.)]?\s+[\"“]?[A-Z]"
        for match in re.finditer(opening if known else rf"(?i:{bare})", self.text):
            before = self.text[max(0, match.start() - len("subsection    ")) : match.start()]
            if not known or not re.search(r"(?i)(?:section|article|clause|§)\s*$", before) or "\n" in match[0][:1]:
                yield Stretch(match.start(), min(len(self.text), match.start() + _REACH), f"§ {number}")

    def stretches(self, place: str, label: str = "") -> list[Stretch]:
        """Return the parts of the document that a place names, its clauses rather than its pages or paragraphs.

        Args:
            place: Numbers of clauses, pages or paragraphs.
            label: The whole citation; a clause without a number is cited by its heading: "Lease, Termination, p. 5".
        """
        found = [s for n in numbers_of(place) for s in self.section(n)] or self._headed(label)
        found = found or [s for number in _page_numbers(place) for s in self.pages.get(number, ())]
        return found or [s for number in _PARAGRAPHS.findall(place) for s in self._counted(int(number))]

    def _headed(self, label: str) -> list[Stretch]:
        cited = _plain(_PAGES.sub("", label))
        return [self._whole(c) for c in self.clauses if not c.number and cited.endswith(f", {_plain(c.heading)}")]

    def _counted(self, number: int) -> Iterator[Stretch]:
        """Yield the stretch in which a paragraph of this number lies, whether lines or blank lines part paragraphs."""
        reach = [
            (spans[max(0, number - 2)][0], spans[min(len(spans), number + 2) - 1][1])
            for spans in ([m.span() for m in re.finditer(part, self.text)] for part in (r"\S[^\n]*", _PARAGRAPH))
            if spans and number <= len(spans) + 1
        ]
        if reach:
            yield Stretch(min(a for a, _ in reach), max(b for _, b in reach), f"para. {number}")

    @cached_property
    def values(self) -> list[FigureValue]:
        """Its amounts, rates, periods and days."""
        known = self._state
        return values(known.figures, known.dates) if known and known.figures else values_of(self.text)

    @cached_property
    def _running(self) -> list[tuple[int, int]]:
        """The lines that repeat from page to page, and what readers mark as header or footer."""
        marked = [(s.start, s.end) for s in self.canonical.segments if s.kind in _MARGINS]
        lines = [m.span() for m in _LINE.finditer(self.text)]
        often = Counter(self.text[a:b] for a, b in lines)
        return sorted([*marked, *((a, b) for a, b in lines if often[self.text[a:b]] >= _REPEATED)])

    def _runs(self, offset: int) -> bool:
        at = bisect.bisect_right(self._running, (offset, len(self.text))) - 1
        return at >= 0 and self._running[at][0] <= offset < self._running[at][1]

    def values_in(self, stretch: Stretch) -> list[FigureValue]:
        """Return the values of a stretch and of the words that introduce it; its page's margins say nothing."""
        parts = [stretch, *self._above(stretch)]
        edges = [
            (bisect.bisect_left(self._value_starts, a), bisect.bisect_left(self._value_starts, b)) for a, b, _ in parts
        ]
        return [v for first, last in edges for v in self.values[first:last] if not self._runs(v.start)]

    @cached_property
    def _value_starts(self) -> list[int]:
        return [v.start for v in self.values]

    def laws_in(self, known: Mapping[str, str], stretch: Stretch) -> set[str]:
        """Return the law districts that a stretch names; ``known`` as in :func:`mentions.laws_in`."""
        if self._laws is None:
            self._laws = laws_in(self.text, known)
        return {law for start, _, law in self._laws if stretch.start <= start < stretch.end}

    def where(self, offset: int) -> str:
        """Return the innermost clause at an offset as words of a finding; empty where there is none."""
        within = [c for c in self.clauses if c.start <= offset < c.end and c.label]
        return f", {within[-1].label}" if within else ""

    def lead_in(self, stretch: Stretch) -> str:
        """Return the words of the clauses above a stretch that introduce it: "The Tenant shall not: (a) …"."""
        return " ".join(self.text[a:b] for a, b, _ in self._above(stretch))

    def _above(self, stretch: Stretch) -> list[Stretch]:
        above = [c for c in self.clauses if c.start < stretch.start and stretch.end <= c.end]
        return [Stretch(c.start, min(self._next(c.start), c.start + _LEAD), c.label) for c in above[-2:]]

    def _next(self, start: int) -> int:
        """Return where the clause after the one at ``start`` begins: the words up to there introduce all below."""
        after = bisect.bisect_right(self._clause_starts, start)
        return self._clause_starts[after] if after < len(self._clause_starts) else len(self.text)

    @cached_property
    def _clause_starts(self) -> list[int]:
        return sorted(c.start for c in self.clauses)

    @property
    def whole(self) -> Stretch:
        """All of it."""
        return Stretch(0, len(self.text), "")


def numbers_of(place: str) -> list[str]:
    """Return the numbers of the clauses that a place names."""
    return [n[0] for m in _SECTIONS.finditer(place) for n in _ONE.finditer(m[1])]


def _plain(words: str) -> str:
    """Return a heading or a citation as they are compared."""
    return " ".join(words.lower().split()).strip(" ,.;:")


def _page_numbers(place: str) -> Iterator[str]:
    for match in _PAGES.finditer(place):
        yield match[1]


def _key(label: str) -> str:
    """Return a number as it is compared: "ARTICLE IV", "Article 4" and "§ 4" are one."""
    bare = re.sub(r"(?i)^(?:§+|sections?|articles?|clauses?|paragraphs?)\s*", "", label.strip()).rstrip(".:").lower()
    bare = re.sub(r"\s+", "", bare)
    return str(_roman(bare)) if bare and set(bare) <= set(_ROMAN) else bare


def _roman(numeral: str) -> int:
    values = [_ROMAN[c] for c in numeral]
    return sum(-v if v < max(values[n + 1 :], default=0) else v for n, v in enumerate(values))
