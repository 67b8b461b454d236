"""Workbooks: typed cells, a frozen header with filters, strings that never become formulas."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from tasks.release.build.markdown import markdown_tables, plain_lines
from tasks.release.tables import Cell, Column, Table, cell_text, typed, with_currency_columns

_CELL_LIMIT = 32_000  # characters; Excel holds 32,767 in a cell
_EXACT = 1e15  # Excel keeps fifteen digits; a larger number is written as text
_LINE, _TALLEST = 15, 400  # points of a line of the usual font, and of a row (Excel allows 409)
_NARROWEST, _WIDEST, _TYPICAL = 8, 60, 0.9  # characters of a column, which shows nine cells of ten whole; chosen by eye
_ILLEGAL_NAME = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
_ILLEGAL_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def xlsx_bytes(markdown: str, tables: Sequence[Table]) -> bytes:
    """Return a workbook with one sheet per table, and the text of the Markdown on a last sheet named Notes.

    The tables of the Markdown become sheets only where no typed tables are given.
    """
    import xlsxwriter

    sheets = list(tables) or markdown_tables(markdown)
    lines = plain_lines(markdown) if markdown.strip() else []
    if lines or not sheets:
        rows = tuple((line,) for line in lines)
        notes = Table(name="Notes", columns=(Column(name="Notes", width=100),), rows=rows)
        sheets.append(notes)
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(
        buffer,
        {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False},
    )
    book.set_properties({"created": datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)})
    formats = {
        "head": book.add_format({"bold": True, "text_wrap": True, "valign": "top", "bottom": 1}),
        "text": book.add_format({"text_wrap": True, "valign": "top"}),
        "date": book.add_format({"num_format": "yyyy-mm-dd", "valign": "top", "align": "left"}),
        "number": book.add_format({"num_format": "#,##0.00##", "valign": "top"}),
        "integer": book.add_format({"num_format": "#,##0", "valign": "top"}),
        "percent": book.add_format({"num_format": "0.00%", "valign": "top"}),
    }
    used: set[str] = set()
    for table in sheets:
        sheet = book.add_worksheet(_sheet_name(table.name, used))
        _write(sheet, with_currency_columns(table), formats)
    book.close()
    return buffer.getvalue()


def _sheet_name(name: str, used: set[str]) -> str:
    base = _ILLEGAL_NAME.sub(" ", name).strip().strip("'")[:31] or "Sheet"
    candidate, n = base, 1
    while candidate.lower() in used or candidate.lower() == "history":
        n += 1
        candidate = f"{base[:27]} ({n})"
    used.add(candidate.lower())
    return candidate


def _write(sheet: Any, table: Table, formats: dict[str, Any]) -> None:
    for c, column in enumerate(table.columns):
        sheet.write_string(0, c, _clean(column.name), formats["head"])
        sheet.set_column(c, c, column.width or _width(table, c))
    widths = [column.width or _width(table, c) for c, column in enumerate(table.columns)]
    for r, row in enumerate(table.rows, start=1):
        lines = max((_lines(cell_text(cell), widths[c]) for c, cell in enumerate(row[: len(widths)])), default=1)
        if lines > 1:  # not every program fits rows to wrapped text by itself
            sheet.set_row(r, min(_TALLEST, _LINE * lines))
        for c, column in enumerate(table.columns):
            _write_cell(sheet, r, c, typed(row[c] if c < len(row) else None, column.type), column, formats)
    if table.columns:
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, max(len(table.rows), 1), len(table.columns) - 1)
        sheet.repeat_rows(0)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)


def _write_cell(sheet: Any, r: int, c: int, cell: Cell, column: Column, formats: dict[str, Any]) -> None:
    if cell is None or cell == "":
        sheet.write_blank(r, c, None, formats["text"])
    elif isinstance(cell, bool):
        sheet.write_string(r, c, cell_text(cell), formats["text"])
    elif isinstance(cell, date):
        sheet.write_datetime(r, c, datetime(cell.year, cell.month, cell.day), formats["date"])  # noqa: DTZ001
    elif isinstance(cell, int | float | Decimal) and _fits(cell):
        style = "percent" if column.type == "percent" else "integer" if cell == int(cell) else "number"
        sheet.write_number(r, c, float(cell), formats[style])
    else:
        sheet.write_string(r, c, _clean(str(cell)), formats["text"])


def _fits(cell: int | float | Decimal) -> bool:
    return math.isfinite(cell) and abs(float(cell)) < _EXACT


def _lines(text: str, width: float) -> int:
    return sum(1 + int(len(line) // width) for line in text.split("\n"))


def _width(table: Table, c: int) -> float:
    lengths = sorted(len(cell_text(row[c])) for row in table.rows[:200] if c < len(row))
    typical = lengths[int(len(lengths) * _TYPICAL)] if lengths else 0
    return float(max(_NARROWEST, min(_WIDEST, max(typical, len(table.columns[c].name)) + 2)))


def _clean(text: str) -> str:
    return _ILLEGAL_TEXT.sub("", text)[:_CELL_LIMIT]
