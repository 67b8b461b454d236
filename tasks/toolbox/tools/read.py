"""Read a document as canonical text."""

from __future__ import annotations

from typing import Any

from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool


def read(desk: Desk, path: str, *, start: int = 0, end: int | None = None) -> dict[str, Any]:
    """Return the canonical text of a document with its line-numbered anchors; offsets of every tool count in it.

    Args:
        desk: What the caller may look at.
        path: Name of a document of the matter, or path of a file.
        start: First character wanted.
        end: End of the characters wanted; the whole text when absent.
    """
    text = desk.text(path)
    piece = text.text[max(0, start) : end]
    segments = [
        {**s.model_dump(mode="json"), "line": text.line_of(s.start)}
        for s in text.segments
        if s.end > start and (end is None or s.start < end)
    ]
    return {
        "document": text.document,
        "media": text.media,
        "sha256": text.sha256,
        "extractor": text.extractor,
        "characters": len(text.text),
        "start": max(0, start),
        "text": piece,
        "segments": segments,
        "problems": [p.line() for p in text.problems],
    }


TOOL = Tool(read, stage="intake", prose="text", example="agreement.docx")
