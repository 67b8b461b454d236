"""Inspect a workbook."""

from __future__ import annotations

import contextlib
import re
from decimal import Decimal, InvalidOperation
from typing import Any

from tasks.sources.records import CanonicalText, Segment, SegmentKind
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool
from tasks.toolbox.views import head, inside, opened, row

_SCALE = re.compile(r"\b(?:in|\$?)\s*(?:\(?\s*in\s+)?(thousands|millions|billions)\b|\(?\$?\s*(000s?|'000)\)?", re.I)
_HITS = 200


def xlsx_inspect(
    desk: Desk, path: str, *, label: str | None = None, value: str | None = None, sheet: str | None = None
) -> dict[str, Any]:
    """Show a workbook: its sheets, hidden ones and scale hints; or find rows by label and cells by value.

    Args:
        desk: What the caller may look at.
        path: Name of a document of the matter, or path of a file.
        label: Find the rows that have a cell with these words (spelling may differ a little).
        value: Find the cells with this value, however it is written.
        sheet: Only this sheet.
    """
    text = opened(desk, path, "xlsx", "csv")
    sheets = [s for s in text.segments if s.kind is SegmentKind.SHEET and sheet in (None, s.label)]
    result = {**head(text), "sheets": [_sheet(text, s) for s in sheets]}
    if label is not None:
        result["rows"] = _by_label(text, sheets, label)
    if value is not None:
        result["cells"] = _by_value(text, sheets, value)
    return result


def _sheet(text: CanonicalText, sheet: Segment) -> dict[str, Any]:
    content = text.text[sheet.start : sheet.end]
    first = content.partition("\n")[0]
    return {
        "sheet": sheet.label,
        "start": sheet.start,
        "end": sheet.end,
        "rows": sum(1 for _ in inside(text, sheet, SegmentKind.ROW)),
        "cells": sum(1 for _ in inside(text, sheet, SegmentKind.CELL)),
        "hidden": "(hidden)" in first,
        "scale_hints": sorted({m.group(0).strip() for m in _SCALE.finditer(content)}),
        "preview": content[:800],
    }


def _by_label(text: CanonicalText, sheets: list[Segment], label: str) -> list[dict[str, Any]]:
    from rapidfuzz import fuzz

    found: list[tuple[float, dict[str, Any]]] = []
    for sheet in sheets:
        for line in inside(text, sheet, SegmentKind.ROW):
            cells = [row(text, c) for c in inside(text, line, SegmentKind.CELL)]
            score = max((fuzz.token_set_ratio(label.lower(), _content(c["text"]).lower()) for c in cells), default=0.0)
            if score >= 80:
                found.append(
                    (score, {"sheet": sheet.label, "row": line.label, "score": round(score, 1), "cells": cells})
                )
    return [hit for _, hit in sorted(found, key=lambda f: -f[0])][:_HITS]


def _by_value(text: CanonicalText, sheets: list[Segment], value: str) -> list[dict[str, Any]]:
    wanted = _figures(value)
    hits = []
    for sheet in sheets:
        for cell in inside(text, sheet, SegmentKind.CELL):
            content = _content(text.text[cell.start : cell.end])
            if content.strip().lower() == value.strip().lower() or (wanted and wanted & _figures(content)):
                hits.append(row(text, cell))
    return hits[:_HITS]


def _figures(content: str) -> set[Decimal]:
    """Return the numbers of a cell without grouping, currency or percent signs; brackets are a minus."""
    found = set()
    for raw in re.findall(r"\(?-?[$€£]?\s*\d[\d,' ]*(?:\.\d+)?\)?", content):
        digits = re.sub(r"[^\d.]", "", raw)
        sign = "-" if "-" in raw or (raw.startswith("(") and raw.endswith(")")) else ""
        with contextlib.suppress(InvalidOperation):
            found.add(Decimal(sign + digits).normalize())
    return found


def _content(cell: str) -> str:
    """Drop the reference that canonical text puts before a cell's value."""
    return re.sub(r"^[A-Z]{1,3}\d+:\s*", "", cell)


TOOL = Tool(xlsx_inspect, stage="intake")
