"""Inspect a presentation."""

from __future__ import annotations

from typing import Any

from tasks.sources.records import SegmentKind
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool
from tasks.toolbox.views import head, inside, opened, row


def pptx_inspect(desk: Desk, path: str) -> dict[str, Any]:
    """Show a presentation slide by slide, with its tables and speaker notes.

    Args:
        desk: What the caller may look at.
        path: Name of a document of the matter, or path of a file.
    """
    text = opened(desk, path, "pptx")
    parts = (SegmentKind.HEADING, SegmentKind.TABLE, SegmentKind.NOTES)
    slides = [s for s in text.segments if s.kind is SegmentKind.SLIDE]
    return {
        **head(text),
        "slides": [{**row(text, s, 4_000), "parts": [row(text, p) for p in inside(text, s, *parts)]} for s in slides],
    }


TOOL = Tool(pptx_inspect, stage="intake")
