"""Builds a Word document with the wording of another format, so that it can be marked up."""

from __future__ import annotations

from collections.abc import Iterator

from tasks.release.build.docx import plain_docx
from tasks.sources.records import CanonicalText, SegmentKind

_TABULAR = frozenset({"xlsx", "csv", "pptx", "json", "eml", "msg"})


def can_be_base(text: CanonicalText) -> bool:
    """Tell whether this source can be redlined: a PDF, a text or a web page, but not a sheet or a message."""
    return text.media not in _TABULAR and bool(text.text.strip())


def base_of(text: CanonicalText) -> bytes:
    """Return a Word document with the wording of a PDF or text: its paragraphs, headings and table rows."""
    return plain_docx(list(_blocks(text)))


def _blocks(text: CanonicalText) -> Iterator[tuple[int, list[str]]]:
    """Yield each line with the level of its heading, or the cells of a row."""
    headings = {s.start: s.level or 2 for s in text.segments if s.kind is SegmentKind.HEADING}
    rows = {s.start for s in text.segments if s.kind is SegmentKind.ROW}
    at = 0
    for line in text.text.split("\n"):
        start = at + len(line) - len(line.lstrip())
        if line.strip():
            cells = [c.strip() for c in line.split(" | ")] if start in rows else [line.strip()]
            yield headings.get(start, 0), cells
        at += len(line) + 1
