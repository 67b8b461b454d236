"""A draft as the checks read it: sentences, headings, citations and the document each part speaks of."""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from tasks.legaltext.sentences import DRAFT, sentences
from tasks.reconcile.comparison import TableCell, cell_at, cells_of
from tasks.reconcile.data_quotes import MEDIA as DATA
from tasks.reconcile.names import DocumentNames, name_part, place_part
from tasks.sources.records import CanonicalText, SegmentKind

_HEADING = re.compile(r"^(#{1,6}) +(.*)$", re.MULTILINE)
_DISTINCTIVE = 8  # characters of a file name: shorter ones occur by chance
_SHOWN = 400  # characters of a sentence in a finding
_READ = 1600  # of the same: white space may take the rest; bounds the time
_BRACKET = re.compile(r"\[([^\[\]\n]{3,240})\]")
_NUMBERED = re.compile(r"\d|\b[IVXLC]+\b")
_PAREN = re.compile(r"\(([^()\n]{3,200}(?:\([a-z0-9]{1,5}\)[^()\n]{0,40}){0,4})\)")
_CLAUSE_END = re.compile(r";\s|[.!?]\s+[A-Z]")


@dataclass(frozen=True)
class CitedPlace:
    """A citation of a data-room document in a draft: ``[Supply Agreement § 9.2(b), p. 14]``."""

    start: int
    end: int
    label: str
    document: str | None
    place: str


@dataclass(frozen=True)
class Sentence:
    """A sentence or table row, ``[start, end)``."""

    start: int
    end: int


class DraftView:
    """Structure of one deliverable's canonical text."""

    def __init__(self, draft: CanonicalText, names: DocumentNames) -> None:
        self.draft = draft
        self.text = draft.text
        self.names = names

    @cached_property
    def headings(self) -> list[tuple[int, int]]:
        """Return the headings in order, from the reader's segments or from Markdown."""
        spans = [(s.start, s.end) for s in self.draft.segments if s.kind is SegmentKind.HEADING]
        return spans or [m.span() for m in _HEADING.finditer(self.text)]

    @cached_property
    def sentences(self) -> list[Sentence]:
        """Return the sentences (and table rows) in order, without the space between them."""
        return [Sentence(start, end) for start, end in sentences(self.text, DRAFT)]

    @cached_property
    def _sentence_starts(self) -> list[int]:
        return [s.start for s in self.sentences]

    def sentence_at(self, offset: int) -> Sentence:
        """Return the sentence that holds an offset."""
        at = bisect.bisect_right(self._sentence_starts, offset) - 1
        return self.sentences[max(at, 0)]

    def sentence_text(self, offset: int) -> str:
        """Return the words of the sentence at an offset, at most 400 characters."""
        sentence = self.sentence_at(offset)
        return " ".join(self.text[sentence.start : min(sentence.end, sentence.start + _READ)].split())[:_SHOWN]

    @cached_property
    def citations(self) -> list[CitedPlace]:
        """Return the citations of documents, bracketed, or parenthesised where they resolve to a document.

        Data has none: its brackets hold lists.
        """
        found: list[CitedPlace] = []
        if self.draft.media == DATA:
            return found
        for pattern in (_BRACKET, _PAREN):
            for match in pattern.finditer(self.text):
                label = match[1].strip()
                place = place_part(label)
                bracketed = pattern is _BRACKET
                document = self.names.resolve(label) if place or bracketed else None
                if bracketed and place and not name_part(label):
                    document = self.context(match.start())
                if document or (bracketed and _NUMBERED.search(place)):
                    found.append(CitedPlace(*match.span(), label, document, place))
        return sorted(found, key=lambda c: c.start)

    @cached_property
    def _citation_starts(self) -> list[int]:
        return [c.start for c in self.citations]

    def in_citation(self, offset: int) -> bool:
        """Return whether an offset lies inside a citation."""
        at = bisect.bisect_right(self._citation_starts, offset) - 1
        return any(c.start <= offset < c.end for c in self.citations[max(0, at - 1) : at + 1])

    def citations_within(self, begin: int, stop: int) -> list[CitedPlace]:
        """Return the citations that start in a stretch."""
        first = bisect.bisect_left(self._citation_starts, begin)
        return self.citations[first : bisect.bisect_left(self._citation_starts, stop)]

    def line_at(self, offset: int) -> tuple[int, int]:
        """Return the bounds of the line (a paragraph or a row) that holds an offset."""
        end = self.text.find("\n", offset)
        return self.text.rfind("\n", 0, offset) + 1, len(self.text) if end < 0 else end

    def row_at(self, offset: int) -> tuple[int, int] | None:
        """Return the bounds of the row of a table that holds an offset; None where it stands in no table."""
        begin, stop = self.line_at(offset)
        first = bisect.bisect_left(self.cells, begin, key=lambda c: c.start)
        return (begin, stop) if sum(c.start < stop for c in self.cells[first : first + 2]) > 1 else None

    @cached_property
    def named(self) -> list[tuple[int, int, str]]:
        """Return where the draft names documents by file name or stem, ``[start, end)`` and the document."""
        low = self.text.lower()
        found = []
        for name in self.names.documents:
            path = PurePosixPath(name.lower())
            for form in {path.name, path.stem}:
                at = low.find(form) if len(form) >= _DISTINCTIVE else -1
                while at >= 0:
                    found.append((at, at + len(form), name))
                    at = low.find(form, at + len(form))
        return sorted(found)

    def in_name(self, offset: int) -> bool:
        """Return whether an offset lies inside the name of a file."""
        at = bisect.bisect_right(self.named, (offset, len(self.text) + 1, "")) - 1
        return any(start <= offset < end for start, end, _ in self.named[max(0, at - 1) : at + 1])

    def without_citations(self, begin: int, stop: int) -> str:
        """Return a stretch with its citations blanked, so that offsets stay."""
        text = self.text[begin:stop]
        for citation in self.citations_within(begin, stop):
            low, high = citation.start - begin, min(citation.end, stop) - begin
            text = text[:low] + " " * (high - low) + text[high:]
        return text

    @cached_property
    def cells(self) -> list[TableCell]:
        """Return the lines of the draft, and of rows the cells."""
        return cells_of(self.text, self.names)

    def context(self, offset: int) -> str | None:
        """Return the document that a place is about: by its column, else by the heading above."""
        cell = cell_at(self.cells, offset)
        if cell is not None and cell.compared:
            return cell.document or None
        return self.headed_by(offset)

    def in_heading(self, offset: int) -> bool:
        """Return whether an offset lies inside a heading."""
        at = bisect.bisect_right(self.headings, (offset, len(self.text) + 1)) - 1
        return at >= 0 and self.headings[at][0] <= offset < self.headings[at][1]

    def cited_near(self, offset: int) -> tuple[str, ...]:
        """Return the document that a place is attributed to; several where their citations stand side by side.

        That is the document of its column in a table that compares documents; else the next citation of its line
        (paragraph or row), else the one before it there, else the one file that the line names before it or in the same
        clause, else the document that its heading names.
        """
        cell = cell_at(self.cells, offset)
        if cell is not None and cell.compared:
            return (cell.document,) if cell.document else ()
        begin = self.text.rfind("\n", 0, offset) + 1
        stop = self.text.find("\n", offset)
        stop = len(self.text) if stop < 0 else stop
        first = bisect.bisect_left(self._citation_starts, begin)
        last = bisect.bisect_left(self._citation_starts, stop)
        line = self.citations[first:last]
        after = [c for c in line if c.start >= offset]
        for citation in (*after[:1], *reversed([c for c in line if c.start < offset])):
            if citation.document:
                return self._side_by_side(citation, line)
            if self.names.candidates(citation.label):
                return self.names.candidates(citation.label)
        files = {
            name for start, end, name in self.named
            if begin <= start and end <= stop and not (start > offset and _apart(self.text[offset:start]))
        }  # fmt: skip
        if len(files) == 1:
            return tuple(files)
        headed = self.headed_by(offset)
        return (headed,) if headed else ()

    def _side_by_side(self, citation: CitedPlace, line: list[CitedPlace]) -> tuple[str, ...]:
        """Return the documents of a citation and of those that only spaces part from it: they bear a claim together."""
        at = next(i for i, c in enumerate(line) if c is citation)
        first = last = at
        while first and not self.text[line[first - 1].end : line[first].start].strip():
            first -= 1
        while last + 1 < len(line) and not self.text[line[last].end : line[last + 1].start].strip():
            last += 1
        return tuple(dict.fromkeys(c.document for c in line[first : last + 1] if c.document))

    def headed_by(self, offset: int) -> str | None:
        """Return the document that the nearest heading above names."""
        at = bisect.bisect_right(self.headings, (offset, 0)) - 1
        if at < 0:
            return None
        start, end = self.headings[at]
        return self.names.in_heading(self.text[start:end])


def _apart(between: str) -> bool:
    """Tell whether a clause ends between two places; what is named after it belongs to another statement."""
    _, closed, rest = between.rpartition("”")
    return _CLAUSE_END.search(rest if closed else between) is not None
