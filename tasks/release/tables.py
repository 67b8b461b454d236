"""Typed tables of a deliverable: a date is a date, money is a number with its currency."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Literal

from tasks.legaltext.numbers.scan import scan_numbers
from tasks.matter.base import Record

Cell = str | bool | int | float | Decimal | date | None
ColumnType = Literal["text", "auto", "date", "money", "percent", "number", "integer"]
# Of a column's width, in characters; chosen by eye.
_CELL, _WORD, _LEAST = 400, 18, 4.0  # of a cell that count, of its longest word, of the narrowest column
_DAMPED = 0.75  # power of the usual length: ten times the text gets some six times the room


class Column(Record):
    """A column of a table.

    Attributes:
        type: How its cells are written; ``auto`` writes each cell by what it holds (an ISO date as a
            date), ``money`` splits amounts such as "USD 1,200,000" into a number and a currency column.
        width: Width in characters; chosen from the content when absent.
    """

    name: str
    type: ColumnType = "text"
    width: float | None = None


class Table(Record):
    """A table: a sheet of a workbook, or a table of a document."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...] = ()


_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")


def with_currency_columns(table: Table) -> Table:
    """Put a currency column after each money column and turn its amounts into numbers."""
    if not any(c.type == "money" for c in table.columns):
        return table
    columns: list[Column] = []
    for column in table.columns:
        columns.append(column)
        if column.type == "money":
            columns.append(Column(name=f"{column.name} currency", width=10))
    rows = []
    for row in table.rows:
        cells: list[Cell] = []
        for i, column in enumerate(table.columns):
            cell = row[i] if i < len(row) else None
            cells.extend(_money(cell) if column.type == "money" else (cell,))
        rows.append(tuple(cells))
    return Table(name=table.name, columns=tuple(columns), rows=tuple(rows))


def _money(cell: Cell) -> tuple[Cell, Cell]:
    if not isinstance(cell, str):
        return cell, None
    figures = scan_numbers(cell)
    if len(figures) == 1 and figures[0].text.strip() == cell.strip() and figures[0].kind in ("money", "number"):
        return figures[0].value, figures[0].unit or None
    return cell, None


def typed(cell: Cell, kind: ColumnType) -> Cell:
    """Coerce a cell to its column's type; text that does not fit stays text."""
    if kind in ("date", "auto") and isinstance(cell, str) and _ISO.fullmatch(cell.strip()):
        try:
            return date.fromisoformat(cell.strip())
        except ValueError:
            return cell
    if kind in ("number", "integer", "percent") and isinstance(cell, str):
        return _number(cell, kind)
    return cell


def _number(cell: str, kind: ColumnType) -> Cell:
    plain = cell.strip().replace(",", "")
    share = kind == "percent" and plain.endswith("%")
    if not re.fullmatch(r"-?\d{1,18}(?:\.\d{1,12})?%?", plain) or (plain.endswith("%") and not share):
        return cell
    value = Decimal(plain.rstrip("%"))
    return value / 100 if share else value


def cell_text(cell: Cell) -> str:
    """Render a cell as text."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, (int, Decimal)):
        return f"{cell:,}"
    return str(cell)


def column_weight(cells: Sequence[str]) -> float:
    """Weigh a column by the text of its cells: long columns get room, short ones keep their longest word whole."""
    longest_word = max((len(w) for c in cells[:200] for w in c.split()[:200]), default=1)
    typical = sum(min(len(c), _CELL) for c in cells[:200]) / max(1, len(cells[:200]))
    return max(float(min(longest_word, _WORD)), float(typical**_DAMPED), _LEAST)
