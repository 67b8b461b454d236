"""Canonical text and the typed state of a matter."""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from typing import Literal

from tasks.legaltext.records import CitationMention, DateMention, Figure, Window
from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause


class SegmentKind(StrEnum):
    """What a stretch of canonical text was in the document."""

    PAGE = "page"
    SHEET = "sheet"
    ROW = "row"
    CELL = "cell"
    SLIDE = "slide"
    NOTES = "notes"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    TABLE = "table"
    HEADER = "header"
    FOOTER = "footer"
    FOOTNOTE = "footnote"
    COMMENT = "comment"
    MAIL_HEADER = "mail_header"
    BODY = "body"
    QUOTED = "quoted"
    ATTACHMENT = "attachment"
    REVISION = "revision"


class Segment(Record):
    """A named stretch of canonical text, ``[start, end)`` in characters.

    Attributes:
        label: How a lawyer would cite it: ``p. 14``, ``Sheet1!B4``, ``slide 3``, ``§ 9.2(b)``.
        level: Level of a heading from 1; 0 where the format does not tell.
    """

    kind: SegmentKind
    label: str
    start: int
    end: int
    level: int = 0


class Span(Record):
    """Characters ``[start, end)`` of a document's canonical text."""

    document: str
    start: int
    end: int


class CanonicalText(Record):
    """What every stage reads of a document: solver, gates and judge alike.

    Attributes:
        document: Name within the data room (or of the deliverable).
        sha256: Hash of the document's bytes.
        extractor: Reader and its version, e.g. ``docx/1``.
        media: docx, xlsx, pptx, eml, msg, pdf, txt, md, csv, html, json.
        text: The text; lines are separated by line feeds.
        segments: Anchors ordered by start; they may nest (a cell in a sheet).
        problems: What could not be read, and why. An empty text with problems is an unread document.
    """

    schema_version: int = 1
    document: str
    sha256: str
    extractor: str
    media: str
    text: str
    segments: tuple[Segment, ...] = ()
    problems: tuple[Failure, ...] = ()

    @cached_property
    def _narrowest(self) -> dict[tuple[SegmentKind, ...], tuple[list[int], list[Segment | None]]]:
        """What was asked of :meth:`locate`, by kinds: built once, since a workbook is asked twice per row."""
        return {}

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        starts.extend(i + 1 for i, ch in enumerate(self.text) if ch == "\n")
        return starts

    def line_of(self, offset: int) -> int:
        """Return the 1-based line number that holds ``offset``."""
        return bisect.bisect_right(self._line_starts, offset)

    def locate(self, offset: int, *kinds: SegmentKind) -> Segment | None:
        """Return the narrowest segment that holds ``offset``, of the given kinds if any."""
        if kinds not in self._narrowest:
            self._narrowest[kinds] = _narrowest([s for s in self.segments if not kinds or s.kind in kinds])
        edges, found = self._narrowest[kinds]
        at = bisect.bisect_right(edges, offset) - 1
        return found[at] if at >= 0 else None


def _narrowest(segments: Sequence[Segment]) -> tuple[list[int], list[Segment | None]]:
    """Return the offsets at which the narrowest segment changes, and which it is from each of them on.

    Of two that are equally wide the later one counts.
    """
    edges = sorted({edge for s in segments for edge in (s.start, s.end) if s.start < s.end})
    waiting = sorted((s.start, at) for at, s in enumerate(segments) if s.start < s.end)
    found: list[Segment | None] = []
    open_: list[tuple[int, int]] = []
    taken = 0
    for edge in edges:
        while taken < len(waiting) and waiting[taken][0] <= edge:
            at = waiting[taken][1]
            heapq.heappush(open_, (segments[at].end - segments[at].start, -at))
            taken += 1
        while open_ and segments[-open_[0][1]].end <= edge:
            heapq.heappop(open_)
        found.append(segments[-open_[0][1]] if open_ else None)
    return edges, found


class Entity(Record):
    """A party or other named body, with the names the documents use for it."""

    name: str
    kind: Literal["party", "person", "organisation", "court", "authority"]
    aliases: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()


class DefinedTerm(Record):
    """A term defined in a document and where."""

    term: str
    span: Span


class CoverageEntry(Record):
    """Whether a document was read. ``partial`` and ``unread`` carry their failures."""

    document: str
    status: Literal["read", "partial", "unread"]
    characters: int
    failures: tuple[Failure, ...] = ()

    @property
    def withheld(self) -> bool:
        """Whether it was kept back by a rule of ours, as what is none of the matter's papers (a task file)."""
        return any(f.cause is FailureCause.POLICY for f in self.failures)


class DocumentState(Record):
    """The typed inventory of one document. Offsets are into its canonical text.

    Attributes:
        document_type: What it is, in a lawyer's words; empty where no cue of the knowledge fires.
        triggers: Words to search the knowledge for because it is that.
    """

    document: str
    sha256: str
    media: str
    document_type: str = ""
    triggers: tuple[str, ...] = ()
    title: str = ""
    parties: tuple[Entity, ...] = ()
    defined_terms: tuple[DefinedTerm, ...] = ()
    figures: tuple[Figure, ...] = ()
    dates: tuple[DateMention, ...] = ()
    windows: tuple[Window, ...] = ()
    citations: tuple[CitationMention, ...] = ()


class MatterState(Record):
    """The inventory of a matter: one state per readable document, one coverage entry per document."""

    schema_version: int = 1
    matter_id: str
    documents: tuple[DocumentState, ...]
    coverage: tuple[CoverageEntry, ...]
