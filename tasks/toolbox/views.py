"""What the inspecting tools share: views of canonical text by its segments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.sources.records import CanonicalText, Segment, SegmentKind
from tasks.toolbox.desk import Desk

PREVIEW = 400  # characters of a segment in a list: enough to choose by; the whole is asked for by its place


def opened(desk: Desk, path: str, *media: str) -> CanonicalText:
    """Return the text of a document of one of the media.

    Raises:
        SolonError: It is of another; the message names the tool for it.
    """
    text = desk.text(path)
    if text.media in media:
        return text
    tool = {"xls": "xlsx_inspect", "msg": "eml_inspect"}.get(text.media, f"{text.media}_inspect")
    raise SolonError(
        Failure(
            cause=FailureCause.INPUT,
            stage="toolbox",
            subject=text.document,
            message=f"is {text.media or 'unreadable'}, not {' or '.join(media)}",
            remedy=f"use {tool}" if text.media in {"docx", "xlsx", "pptx", "eml", "msg", "pdf"} else "use read",
        )
    )


def head(text: CanonicalText) -> dict[str, Any]:
    """Return what every inspection begins with."""
    return {
        "document": text.document,
        "media": text.media,
        "characters": len(text.text),
        "problems": [p.line() for p in text.problems],
    }


def rows(text: CanonicalText, *kinds: SegmentKind, preview: int = PREVIEW) -> list[dict[str, Any]]:
    """Return one row per segment of the kinds, with its place and the beginning of its text."""
    return [row(text, s, preview) for s in text.segments if s.kind in kinds]


def row(text: CanonicalText, segment: Segment, preview: int = PREVIEW) -> dict[str, Any]:
    """Return a segment as a row."""
    content = text.text[segment.start : segment.end]
    return {
        "kind": segment.kind.value,
        "label": segment.label,
        "start": segment.start,
        "end": segment.end,
        "line": text.line_of(segment.start),
        "text": content if len(content) <= preview else content[:preview] + "…",
    }


def segments_inside(text: CanonicalText, outer: Segment, *kinds: SegmentKind) -> Iterable[Segment]:
    """Yield the segments of the kinds that lie in another."""
    return (s for s in text.segments if s.kind in kinds and outer.start <= s.start and s.end <= outer.end)
