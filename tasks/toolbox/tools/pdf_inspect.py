"""Inspect a PDF."""

from __future__ import annotations

from typing import Any

from tasks.sources.records import SegmentKind
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool
from tasks.toolbox.tools.redline import document_path
from tasks.toolbox.views import head, opened, row, rows, segments_inside


def pdf_inspect(desk: Desk, path: str, *, page: int | None = None) -> dict[str, Any]:
    """Show a PDF: its pages, headings and tables; or the full text of one page.

    Args:
        desk: What the caller may look at.
        path: Name of a document of the matter, or path of a file.
        page: Number of a page, from 1: return its text.
    """
    text = opened(desk, path, "pdf")
    pages = [s for s in text.segments if s.kind is SegmentKind.PAGE]
    if page is not None:
        return {**head(text), "pages": [row(text, s, s.end - s.start) for s in pages[max(0, page - 1) : page]]}
    return {
        **head(text),
        "pages": [{**row(text, s, 160), "characters": s.end - s.start} for s in pages],
        "headings": rows(text, SegmentKind.HEADING),
        "tables": pdf_tables(desk, path),
    }


def pdf_tables(desk: Desk, path: str) -> list[dict[str, Any]]:
    """Return the tables of a PDF, each with its page, whether it is ruled or merely in columns, and its rows."""
    from tasks.sources.texts import read_file

    found = read_file(document_path(desk, path), path, tables=True)
    return [
        {
            "label": table.label,
            "page": int(table.label.split()[1].rstrip(",")),
            "ruled": not table.label.endswith("(no rulings)"),
            "rows": [found.text[r.start : r.end].split(" | ") for r in segments_inside(found, table, SegmentKind.ROW)],
        }
        for table in found.segments
        if table.kind is SegmentKind.TABLE
    ]


TOOL = Tool(pdf_inspect, stage="intake", example="lease.pdf --page 3")
