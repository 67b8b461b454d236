"""Tables that compare documents: one column per document, so that each cell is about the document of its column."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tasks.reconcile.names import DocumentNames

_RULE = re.compile(r"[\s|:–-]*\Z")
_NUMBER = re.compile(r"^\W*(?:No\.?\s*)?\d{1,2}\s*[.:)]\s*", re.IGNORECASE)
_COMPARED = 2  # columns that name a document, from which a table compares them


class TableCell(NamedTuple):
    """A cell of a table row, or a whole line outside tables, ``[start, end)``.

    Attributes:
        document: The document that its column is about; empty where the column, or the table, is about none.
        compared: Whether its table compares documents column by column.
    """

    start: int
    end: int
    document: str = ""
    compared: bool = False


def cells_of(text: str, names: DocumentNames) -> list[TableCell]:
    """Return the lines of a text in order; table rows are given as their cells."""
    found: list[TableCell] = []
    header: list[str] = []
    at = 0
    for line in text.split("\n"):
        cells = list(_cells(line))
        if len(cells) < _COMPARED:
            header = header if not line.strip() else []  # rows of a document stand apart by a blank line
            found += [TableCell(at, at + len(line))] if line.strip() else []
        elif not _RULE.match(line):
            header = header if len(header) == len(cells) else _documents(line, cells, names)
            for document, (start, end) in zip(header, cells, strict=True):
                found.append(TableCell(at + start, at + end, document, any(header)))
        at += len(line) + 1
    return found


def _cells(line: str) -> Iterator[tuple[int, int]]:
    """Yield the cells of a row, including empty ones: "| a |  | c |" has three."""
    if " | " not in line and not line.startswith("|"):
        return
    begin = 1 if line.startswith("|") else 0
    stop = len(line.rstrip()) - 1 if begin and line.rstrip().endswith("|") else len(line)
    at = begin
    for match in re.finditer(r"\|", line[begin:stop]):
        edge = begin + match.start()
        yield at, edge
        at = edge + 1
    yield at, stop


def _documents(line: str, cells: Sequence[tuple[int, int]], names: DocumentNames) -> list[str]:
    """Return the document that the head of each column names; empty strings where the table compares none."""
    heads = [_NUMBER.sub("", line[a:b].strip(" *_")) for a, b in cells]
    found = [names.in_heading(head) or names.resolve(head) or "" for head in heads]
    named = [d for d in found if d]
    return found if len(named) >= _COMPARED and len(set(named)) == len(named) else [""] * len(cells)


def cell_at(cells: Sequence[TableCell], offset: int) -> TableCell | None:
    """Return the cell or line that holds an offset."""
    at = bisect.bisect_right(cells, offset, key=lambda c: c.start) - 1
    return cells[at] if at >= 0 and offset <= cells[at].end else None
