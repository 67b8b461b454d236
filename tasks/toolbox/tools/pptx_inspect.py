"""Inspect a presentation."""

from __future__ import annotations

from typing import Any

from tasks.sources.records import CanonicalText, Segment, SegmentKind
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool
from tasks.toolbox.views import head, opened, row, segments_inside

_WHOLE = 20_000  # characters of the one slide that is asked for: all of it, unless it is a trap


def pptx_inspect(desk: Desk, path: str, *, slide: int | None = None) -> dict[str, Any]:
    """Show a presentation slide by slide: title, whether it is hidden, text, tables, speaker notes and comments.

    Args:
        desk: What the caller may look at.
        path: Name of a document of the matter, or path of a file.
        slide: Number of a slide, from 1: only this one, with its full text.
    """
    text = opened(desk, path, "pptx")
    slides = [(n, s) for n, s in enumerate(_of(text, SegmentKind.SLIDE), start=1) if slide in (None, n)]
    return {
        **head(text),
        "slides": [_slide(text, number, s, _WHOLE if slide else 4_000) for number, s in slides],
        "hidden_slides": [number for number, s in slides if _hidden(text, s)],
    }


def _of(text: CanonicalText, kind: SegmentKind) -> list[Segment]:
    return [s for s in text.segments if s.kind is kind]


def _slide(text: CanonicalText, number: int, slide: Segment, preview: int) -> dict[str, Any]:
    parts = (SegmentKind.HEADING, SegmentKind.TABLE, SegmentKind.NOTES, SegmentKind.COMMENT)
    heading = next(iter(segments_inside(text, slide, SegmentKind.HEADING)), None)
    untitled = heading is None or heading.label == f"slide {number}"
    return {
        **row(text, slide, preview),
        "number": number,
        "title": "" if untitled or heading is None else heading.label,
        "hidden": _hidden(text, slide),
        "parts": [row(text, p) for p in segments_inside(text, slide, *parts)],
        "tables": [_table(text, t) for t in segments_inside(text, slide, SegmentKind.TABLE)],
        "notes": [text.text[n.start : n.end] for n in segments_inside(text, slide, SegmentKind.NOTES)],
        "comments": [row(text, c, _WHOLE) for c in segments_inside(text, slide, SegmentKind.COMMENT)],
    }


def _hidden(text: CanonicalText, slide: Segment) -> bool:
    """Tell whether a slide is hidden: the reader says so before its title."""
    return text.text[slide.start : slide.end].partition(":")[0].partition("\n")[0].endswith("(hidden)")


def _table(text: CanonicalText, table: Segment) -> dict[str, Any]:
    rows = [text.text[r.start : r.end].split(" | ") for r in segments_inside(text, table, SegmentKind.ROW)]
    return {"label": table.label, "start": table.start, "end": table.end, "rows": rows}


TOOL = Tool(pptx_inspect, stage="intake", example="board.pptx --slide 2")
