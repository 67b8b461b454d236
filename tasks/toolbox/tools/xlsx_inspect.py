"""Inspect a workbook."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any

from tasks.sources.records import CanonicalText, Segment, SegmentKind
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool
from tasks.toolbox.views import head, opened, row, segments_inside

_SCALE = re.compile(r"\b(?:in|\$?)\s*(?:\(?\s*in\s+)?(thousands|millions|billions)\b|\(?\$?\s*(000s?|'000)\)?", re.I)
_UNSET = "(formula without a stored result)"
_HITS = 200  # cells that one call gives
_ALIKE = 80  # per cent of likeness from which a cell has the label that was asked for; chosen by eye
_Cell = tuple[int, int, Segment]


def xlsx_inspect(
    desk: Desk, path: str, *, label: str | None = None, value: str | None = None, sheet: str | None = None
) -> dict[str, Any]:
    """Show a workbook: sheets (hidden ones said), their tables, scale hints and formulas without values; or find cells.

    A cell found by its value comes with the label of its row, the header of its column and the scale of its table.

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
        "rows": sum(1 for _ in segments_inside(text, sheet, SegmentKind.ROW)),
        "cells": sum(1 for _ in segments_inside(text, sheet, SegmentKind.CELL)),
        "hidden": "(hidden)" in first or "(very hidden)" in first,
        "tables": sheet_tables(text, sheet),
        "formulas_without_values": [
            row(text, c) for c in segments_inside(text, sheet, SegmentKind.CELL) if _UNSET in text.text[c.start : c.end]
        ][:_HITS],
        "scale_hints": sorted({m.group(0).strip() for m in _SCALE.finditer(content)}),
        "preview": content[:800],
    }


def sheet_tables(text: CanonicalText, sheet: Segment) -> list[dict[str, Any]]:
    """Return the tables of a sheet: blocks of rows parted by an empty row, or side by side by an empty column.

    The header is the first row of words as wide as the table, or nearly; the scale hint is the nearest
    at or above the table.
    """
    cells = [(*_place(c.label), c) for c in segments_inside(text, sheet, SegmentKind.CELL)]
    tables = []
    for block in _blocks(sorted(cells, key=lambda c: (c[0], c[1])), axis=_row_of):
        for part in _blocks(sorted(block, key=lambda c: (c[1], c[0])), axis=_column_of):
            tables.append(sorted(part, key=lambda c: (c[0], c[1])))
    return [_table(text, sheet, t) for t in tables if len({c[0] for c in t}) > 1 and len({c[1] for c in t}) > 1]


def _row_of(cell: _Cell) -> int:
    return cell[0]


def _column_of(cell: _Cell) -> int:
    return cell[1]


def _blocks(cells: list[_Cell], axis: Callable[[_Cell], int]) -> list[list[_Cell]]:
    blocks: list[list[_Cell]] = []
    for cell in cells:
        if not blocks or axis(cell) > axis(blocks[-1][-1]) + 1:
            blocks.append([])
        blocks[-1].append(cell)
    return blocks


def _table(text: CanonicalText, sheet: Segment, cells: list[_Cell]) -> dict[str, Any]:
    rows_of: dict[int, list[tuple[int, Segment]]] = {}
    for line, column, cell in cells:
        rows_of.setdefault(line, []).append((column, cell))
    header = _header_row(text, rows_of)
    columns = {column: _content(text.text[c.start : c.end]) for column, c in rows_of[header]}
    first, last = min(c[1] for c in cells), max(c[1] for c in cells)
    above = text.text[sheet.start : max(c[2].end for c in cells)]
    hints = [m.group(0).strip() for m in _SCALE.finditer(above)]
    return {
        "range": f"{_letters(first)}{cells[0][0]}:{_letters(last)}{cells[-1][0]}",
        "header_row": header,
        "columns": [columns.get(n, "") for n in range(first, last + 1)],
        "labels": [
            _content(text.text[row_cells[0][1].start : row_cells[0][1].end])
            for n, row_cells in sorted(rows_of.items())
            if n > header
        ],
        "scale_hint": hints[-1] if hints else "",
    }


def _header_row(text: CanonicalText, rows_of: dict[int, list[tuple[int, Segment]]]) -> int:
    """Return the first row of words as wide as the table, or nearly; titles are narrower, data has figures."""
    widest = max(len(r) for r in rows_of.values())
    for width in (widest, widest - 1):
        for number in sorted(rows_of):
            contents = [_content(text.text[c.start : c.end]) for _, c in rows_of[number]]
            if len(contents) == width and not any(_is_figure(c) or _UNSET in c for c in contents[1:]):
                return number
    return min(rows_of)


def _place(label: str) -> tuple[int, int]:
    """Return row and column of a cell label such as "FY2024!B4"."""
    letters, digits = re.fullmatch(r"([A-Z]+)(\d+)", label.rpartition("!")[2]).groups()  # type: ignore[union-attr]
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(digits), column


def _letters(column: int) -> str:
    from tasks.sources.readers.xlsx import column_letters

    return column_letters(column)


def _by_label(text: CanonicalText, sheets: list[Segment], label: str) -> list[dict[str, Any]]:
    from rapidfuzz import fuzz

    found: list[tuple[float, dict[str, Any]]] = []
    for sheet in sheets:
        for line in segments_inside(text, sheet, SegmentKind.ROW):
            cells = [row(text, c) for c in segments_inside(text, line, SegmentKind.CELL)]
            score = max((fuzz.token_set_ratio(label.lower(), _content(c["text"]).lower()) for c in cells), default=0.0)
            if score >= _ALIKE:
                found.append(
                    (score, {"sheet": sheet.label, "row": line.label, "score": round(score, 1), "cells": cells})
                )
    return [hit for _, hit in sorted(found, key=lambda f: -f[0])][:_HITS]


def _by_value(text: CanonicalText, sheets: list[Segment], value: str) -> list[dict[str, Any]]:
    wanted = _figures(value)
    hits = []
    for sheet in sheets:
        for cell in segments_inside(text, sheet, SegmentKind.CELL):
            content = _content(text.text[cell.start : cell.end])
            if content.strip().lower() == value.strip().lower() or (wanted and wanted & _figures(content)):
                hits.append({**row(text, cell), **_meaning(text, sheet, cell)})
    return hits[:_HITS]


def _meaning(text: CanonicalText, sheet: Segment, cell: Segment) -> dict[str, str]:
    """Return what a cell's figure is: the label of its row, the header of its column, the scale of its table."""
    line, column = _place(cell.label)
    cells = {
        _place(c.label): _content(text.text[c.start : c.end]) for c in segments_inside(text, sheet, SegmentKind.CELL)
    }
    before = [cells[line, c] for c in range(1, column) if (line, c) in cells and not _figures(cells[line, c])]
    above = [cells[r, column] for r in range(1, line) if (r, column) in cells and not _is_figure(cells[r, column])]
    hints = [m.group(0).strip() for m in _SCALE.finditer(text.text[sheet.start : cell.end])]
    return {
        "row_label": before[0] if before else "",
        "column_header": above[-1] if above else "",
        "scale_hint": hints[-1] if hints else "",
    }


def _is_figure(content: str) -> bool:
    return bool(re.fullmatch(r"[(\-]?[$€£]?[\d,.' ]+[%x)]?", content)) and not re.fullmatch(r"(?:19|20)\d\d", content)


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


TOOL = Tool(xlsx_inspect, stage="intake", example='model.xlsx --label "Net debt"')
