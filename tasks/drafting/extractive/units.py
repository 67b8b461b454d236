"""Cut a canonical text into sentences that know their heading and clause number."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tasks.legaltext.sentences import CONTRACT, sentence_ends
from tasks.retrieval.lines import HEADING_MARK
from tasks.retrieval.records import Clause
from tasks.sources.records import CanonicalText, SegmentKind

ENUMERATOR = re.compile(
    r"^\s*(?P<num>(?:ARTICLE|Article|SECTION|Section|Sec\.|Clause|CLAUSE|§)\s*(?:\d+(?:\.\d+)*|[IVXLC]+)\b[.:]?"
    r"|\d{1,3}(?:\.\d{1,3})+\.?(?=\s|[A-Z(])|\d{1,2}[.)](?=\s|[A-Z])"
    r"|\((?:[a-zA-Z]|[ivxl]{1,5}|\d{1,2})\)|[a-hA-H][.)](?=\s))\s*"
)
NOISE = re.compile(
    r"^\s*(?:(?:page|pg\.?)\s*\d+(?:\s*of\s*\d+)?|-?\s*\d{1,3}\s*-?|source:.*\d{4}\s*|[ivx]{1,5}"
    r"|\[?signature page.*|<page>|\[remainder of.*|[-_=*. ]{3,})\s*$",
    re.I,
)
# A line of a list or a log: it begins with a bullet or with its day.
_ENTRY = re.compile(r"(?:[-*•]\s+(?=[A-Z\d*\[(\"“])|\*{0,2}\d{4}-\d\d-\d\d\b|\d{1,2}/\d{1,2}/\d{2,4}\b)")
# A paragraph does not end on one of these.
HANGING = re.compile(
    r"\b(?:an?|and|any|are|as|at|be|by|for|from|if|in|into|is|its|it|no|nor|not|of|on|or|other|our|shall|such|than|that"
    r"|the|their|this|to|under|upon|which|will|with|within|without)$",
    re.I,
)
_VERB = re.compile(r"\b(?:shall|will|may|must|is|are|agrees?|means|grants?|has|have)\b")
_CLAUSE = 2  # parts of the number of a clause within a section: 2.1
_TITLE = 14  # words up to which a paragraph that is set as a heading is one
# Chosen by eye on the development contracts, not measured; characters where no other unit stands.
_HEADING, _HEADING_WORDS = 110, 12  # of a heading
_CAPTION = 70  # of a line that a list begins below, though no sentence ends there
_LINE = 60  # up to which a line can be a heading; from which one in capitals goes on in the next
_BROKEN, _ENDED = 40, 50  # from which a line that ends in a comma, and any other, can be broken off at its width
_LABEL = 40  # of a clause's number in a citation
_LONGEST_CLAUSE = 60_000  # a place further behind the beginning of a clause lies in none; bounds the time
SMALL_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "by",
        "for",
        "from",
        "in",
        "into",
        "not",
        "of",
        "on",
        "or",
        "other",
        "than",
        "the",
        "to",
        "upon",
        "with",
        "without",
    ]
)


@dataclass(frozen=True)
class Unit:
    """A sentence of a document.

    Attributes:
        pieces: Character ranges of the canonical text; more than one where page furniture lies between.
        text: The sentence with white space collapsed; verbatim but for that.
        heading: Nearest headings above, outermost first, joined by " / ".
        chapter: Heading of the section that its numbered clause is of: of 2.1 that of 2.
        label: How a lawyer would cite it, e.g. ``§ 9.2(b)``; may be empty.
        block: Number of the paragraph that holds it.
    """

    document: str
    pieces: tuple[tuple[int, int], ...]
    text: str
    heading: str
    label: str
    page: str
    block: int
    chapter: str = ""

    @property
    def title(self) -> str:
        """Return the innermost heading that it stands under; that of its section where its clause has none."""
        return self.heading.split(" / ")[-1] or self.chapter

    @property
    def start(self) -> int:
        """Return the first character in the canonical text."""
        return self.pieces[0][0]

    @property
    def words(self) -> int:
        """Return the number of words."""
        return len(self.text.split())


@dataclass
class _Line:
    start: int
    end: int
    text: str
    gap: bool  # a blank line lies before it
    headed: bool  # its reader says that it is a heading


@dataclass
class _Numbering:
    """The enumerators that are open at a place in the text."""

    top: str = ""
    stack: list[str] = field(default_factory=list)
    headings: dict[int, str] = field(default_factory=dict)
    chapter: str = ""
    within: str = ""  # the number of the section that the chapter is of

    def open(self, number: str) -> int:
        """Take in an enumerator and return its depth (0 for articles and sections)."""
        if number.startswith("("):
            depth = 1 + self._depth(number)
            del self.stack[depth - 1 :]
            self.stack.append(number)
        else:
            self._enter(number)
            self.top, self.stack, depth = number, [], 0
        self.headings = {d: h for d, h in self.headings.items() if d < depth}
        return depth

    def _enter(self, number: str) -> None:
        """Keep the heading of a section while its numbered clauses are read: that of 2 for 2.1 and 2.2."""
        parts = re.findall(r"\d+", number)
        if len(parts) < _CLAUSE or parts[0] != self.within:
            whole = re.findall(r"\d+", self.top)
            heads = len(parts) >= _CLAUSE and (len(whole) == 1 and whole == parts[:1])
            self.chapter, self.within = (self.headings.get(0, ""), parts[0]) if heads else ("", "")

    def _depth(self, number: str) -> int:
        kind = _kind(number)
        for depth, known in enumerate(self.stack):
            if _kind(known) == kind:
                return depth
        return len(self.stack)

    def label(self) -> str:
        """Return the citation of the current place."""
        if not self.top:
            return "".join(self.stack)
        number = re.sub(r"^(?:section|sec\.|§)\s*", "", self.top, flags=re.I).rstrip(".:)")
        mark = "§ " if number[:1].isdigit() else ""
        return mark + number + "".join(self.stack)


def _kind(number: str) -> str:
    inner = number.strip("().")
    if inner.isdigit():
        return "digit"
    if inner.isupper():
        return "upper"
    return "roman" if re.fullmatch(r"[ivx]{2,5}|[ivx]", inner) and inner not in ("c", "d") else "lower"


def sentence_units(text: CanonicalText, clauses: Sequence[Clause] = ()) -> list[Unit]:
    """Cut ``text`` into sentences in reading order; headings become context, not sentences.

    Args:
        text: The canonical text.
        clauses: The clause tree of the document; where given, its labels are used for citation.
    """
    numbering = _Numbering()
    labels = _Labels(clauses)
    pages = _Pages(text)
    units: list[Unit] = []
    for number, block in enumerate(_blocks(text)):
        for unit_pieces, flat in _cut(text.text, block):
            match = ENUMERATOR.match(flat)
            rest = flat
            if match:
                depth = numbering.open(re.sub(r"\s+", " ", match["num"]).strip())
                rest = flat[match.end() :]
            if reads_as_heading(rest) or (block[0].headed and reads_as_title(rest)):
                depth = (0 if not numbering.stack else len(numbering.stack)) if match else 0
                if not match:
                    numbering.headings = {}
                numbering.headings[depth] = rest.strip(" .:-–—")
                continue
            heading = " / ".join(h for _, h in sorted(numbering.headings.items()))
            start = unit_pieces[0][0]
            units.append(
                Unit(
                    document=text.document,
                    pieces=unit_pieces,
                    text=flat,
                    heading=heading,
                    label=labels.at(start) or numbering.label(),
                    page=pages.at(start),
                    block=number,
                    chapter=numbering.chapter,
                )
            )
    return units


def reads_as_heading(text: str) -> bool:
    """Tell whether ``text`` (without its number) is a heading rather than a sentence."""
    words = text.strip(" .:-–—\t").split()
    if not words or len(words) > _HEADING_WORDS or text.rstrip().endswith((",", ";")):
        return not words
    if _VERB.search(text):
        return False
    content = [w for w in words if w.lower().strip("(),;") not in SMALL_WORDS]
    titled = [w for w in content if not w[:1].islower()]
    if len(text) >= _HEADING or re.search(r"\d{3}|[$%_@]", text):
        return False
    return bool(content) and len(titled) == len(content)


def reads_as_title(text: str) -> bool:
    """Tell whether what its reader takes for a heading is one: a few words, and no sentence however it is set."""
    words = text.split()
    return len(words) <= _TITLE and not text.rstrip().endswith((".", ",", ";")) and not _VERB.search(text)


def _lines(text: CanonicalText) -> Iterator[_Line]:
    position, gap = 0, True
    headings = {s.start for s in text.segments if s.kind is SegmentKind.HEADING}
    for raw in text.text.splitlines(keepends=True):
        body = raw.strip()
        if not body:
            gap = True
        elif not NOISE.match(body):
            start = position + len(raw) - len(raw.lstrip())
            headed = start in headings
            mark = HEADING_MARK.match(body) if headed else None
            at = mark.end() if mark else 0
            yield _Line(start + at, start + len(body), body[at:], gap, headed)
            gap = False
        position += len(raw)


def _blocks(text: CanonicalText) -> Iterator[list[_Line]]:
    """Yield paragraphs; a paragraph broken by a page is joined again."""
    block: list[_Line] = []
    for line in _lines(text):
        if block and _starts_block(block[-1], line):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _starts_block(before: _Line, line: _Line) -> bool:
    ended = before.text.endswith((".", ":", ";", "?", "!", '."', ".”", ".)"))
    first = line.text[:1]
    if line.headed or (before.headed and not line.gap):
        return True
    if line.gap:
        return ended or not _runs_on(before.text, line.text)
    if _ENTRY.match(line.text):
        return True
    if ENUMERATOR.match(line.text):
        return ended or len(before.text) < _CAPTION or line.text[:1] != "("
    return len(before.text) < _LINE and reads_as_heading(before.text) and not first.islower()


def _runs_on(before: str, line: str) -> bool:
    """Tell whether a line that does not end a sentence goes on after a gap, as at the turn of a page."""
    if line[:1].islower() or (before.endswith((",", "-")) and len(before) > _BROKEN):
        return True
    if len(before) < _ENDED or ENUMERATOR.match(line):
        return False
    shouted = before.isupper() and line.isupper() and len(before) > _LINE
    return shouted or bool(HANGING.search(before))


def _cut(text: str, block: list[_Line]) -> Iterator[tuple[tuple[tuple[int, int], ...], str]]:
    """Yield the sentences of a paragraph as ranges of the text and their flattened words."""
    joined = "\n".join(line.text for line in block)
    offsets: list[int] = []
    at = 0
    for line in block:
        offsets.append(at)
        at += len(line.text) + 1
    start = 0
    for end in [*sentence_ends(joined, CONTRACT, complete=_is_numbered_heading), len(joined)]:
        flat = re.sub(r"\s+", " ", joined[start:end]).strip()
        if flat:
            left = start + len(joined[start:end]) - len(joined[start:end].lstrip())
            right = start + len(joined[start:end].rstrip())
            yield _pieces(text, block, offsets, left, right), flat
        start = end


def _is_numbered_heading(text: str) -> bool:
    """Tell "SECTION 7." and "12. Notices to the Co." from the beginning of a sentence."""
    return bool(ENUMERATOR.match(text)) and reads_as_heading(ENUMERATOR.sub("", text)) and len(text.split()) > 1


def _pieces(text: str, block: list[_Line], offsets: list[int], left: int, right: int) -> tuple[tuple[int, int], ...]:
    first = bisect.bisect_right(offsets, left) - 1
    last = bisect.bisect_right(offsets, right - 1) - 1
    pieces: list[tuple[int, int]] = []
    for index in range(first, last + 1):
        line = block[index]
        start = line.start + (left - offsets[index] if index == first else 0)
        end = line.start + (right - offsets[index] if index == last else len(line.text))
        if pieces and not text[pieces[-1][1] : start].strip():
            pieces[-1] = (pieces[-1][0], end)
        else:
            pieces.append((start, end))
    return tuple(pieces)


class _Labels:
    """Clause labels by offset."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self._clauses = sorted((c for c in clauses if c.label), key=lambda c: (c.start, -c.end))
        self._starts = [c.start for c in self._clauses]

    def at(self, offset: int) -> str:
        for index in range(bisect.bisect_right(self._starts, offset + 2) - 1, -1, -1):
            clause = self._clauses[index]
            if clause.end > offset:
                return clause.label if len(clause.label) <= _LABEL else ""
            if offset - clause.start > _LONGEST_CLAUSE:
                break
        return ""


class _Pages:
    """Page labels by offset."""

    def __init__(self, text: CanonicalText) -> None:
        pages = [s for s in text.segments if s.kind in (SegmentKind.PAGE, SegmentKind.SLIDE, SegmentKind.SHEET)]
        self._starts = [p.start for p in pages]
        self._labels = [p.label for p in pages]

    def at(self, offset: int) -> str:
        index = bisect.bisect_right(self._starts, offset) - 1
        return self._labels[index] if index >= 0 else ""
