"""Tables without rulings: printed lines whose words stand in columns.

A table is a run of lines that are parted by wide gaps at the same places. Running text in two columns, lists,
tables of contents and signature blocks stand in columns too and are left out.
"""

from __future__ import annotations

import itertools
import math
import re
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_GAP = 1.3  # of the type size: wider than the stretched spaces of justified text
_LEAST_ROWS = 3  # rows with several cells that make a table; fewer are too few to tell columns by; chosen by eye
_MOST_COLUMNS = 20  # more are words that happen to stand below each other; chosen by eye
_LEADERS = re.compile(r"\.{4,}|(?:\. ){4,}|_{4,}")
_LABEL = re.compile(r"(?:\(?(?:[a-zA-Z]{1,2}|[ivxIVX]{1,5}|\d{1,3}(?:\.\d{1,3})*)[.)]?|[•▪●■◦·\-–—o*])")
_SIGNATURE = re.compile(
    r"^(?:by|name|print name|title|its|date|signed|signature|witness|per|attn|attention|address|tel|fax)\b\s*:?",
    re.IGNORECASE,
)
_SIGNED = re.compile(r"/s/|\(signature\)|^signature:", re.IGNORECASE)
_RULE = re.compile(r"[-=_–— ]{4,}")
_CONTENTS = re.compile(r"(?:section|article|exhibit|schedule|annex|part|clause)\b|[\dIVX]+\.", re.IGNORECASE)
_FIGURE = re.compile(r"[(\-]?[$€£]?\s?\d[\d,.]*\s?[%)]?")
_WORDY = 7.0  # words per cell at which columns count as running text
# Times the type size; chosen by eye.
_ONE_LINE = 0.4  # words of one line may stand so much higher or lower (a raised figure)
_APART = 3.2  # rows of one table: two blank lines part tables
_CLOSE = 1.8  # lines of one cell
_FORM = 5  # cells of which one that is a signature's label or leaders makes a form; chosen by eye


@dataclass(frozen=True)
class _Cell:
    left: float
    right: float
    text: str


@dataclass(frozen=True)
class _Row:
    top: float
    size: float
    cells: tuple[_Cell, ...]


def aligned_tables(words: Iterable[Mapping[str, Any]]) -> list[list[list[str]]]:
    """Return the tables of a page, each a list of rows of cells.

    Args:
        words: Words with ``text``, ``x0``, ``x1``, ``top`` and ``bottom`` in points, as pdfplumber gives them.
    """
    rows = [_row(line) for line in _lines(words)]
    found = []
    for run in _runs(rows):
        columns = _columns(run)
        table = [row for row in (_placed(row, columns) for row in run) if any(row)]
        if _is_table(table):
            found.append(_joined(table))
    return found


def _lines(words: Iterable[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Return words by printed line, top to bottom and left to right."""
    lines: list[list[Mapping[str, Any]]] = []
    for word in sorted(words, key=lambda w: (w["top"], w["x0"])):
        if not lines or word["top"] - lines[-1][0]["top"] > _ONE_LINE * (word["bottom"] - word["top"]):
            lines.append([])
        lines[-1].append(word)
    return [sorted(line, key=lambda w: float(w["x0"])) for line in lines]


def _row(line: Sequence[Mapping[str, Any]]) -> _Row:
    size = statistics.median(float(w["bottom"]) - float(w["top"]) for w in line)
    cells: list[_Cell] = []
    for word in line:
        if cells and word["x0"] - cells[-1].right < _GAP * size:
            cells[-1] = _Cell(cells[-1].left, max(cells[-1].right, word["x1"]), f"{cells[-1].text} {word['text']}")
        else:
            cells.append(_Cell(word["x0"], word["x1"], str(word["text"])))
    return _Row(float(line[0]["top"]), size, tuple(cells))


def _runs(rows: Sequence[_Row]) -> list[list[_Row]]:
    """Return stretches of lines that stand close together and have two cells or more; wrapped cells stay inside."""
    runs: list[list[_Row]] = []
    run: list[_Row] = []
    for row in [*rows, None]:
        near = row is not None and (not run or row.top - run[-1].top < _APART * run[-1].size)
        if row is not None and near and (len(row.cells) > 1 or (run and _wraps(row, run))):
            run.append(row)
            continue
        while run and len(run[-1].cells) < 2:
            run.pop()
        if run:
            runs.append(run)
        run = [row] if row is not None and len(row.cells) > 1 else []
    return [r for run in runs for r in _same_columns(run)]


def _wraps(row: _Row, run: Sequence[_Row]) -> bool:
    """Tell whether a line continues a cell of the line above: it is one piece that begins where a cell begins."""
    (cell,) = row.cells
    close = row.top - run[-1].top < _CLOSE * row.size
    return close and any(
        abs(cell.left - above.left) < row.size and cell.right < following.left
        for above, following in itertools.pairwise([*run[-1].cells, _Cell(math.inf, math.inf, "")])
        if following.left < math.inf or cell.left > run[-1].cells[0].right
    )


def _same_columns(run: list[_Row]) -> list[list[_Row]]:
    """Split a run where the columns of a line do not match those above."""
    parts: list[list[_Row]] = []
    for row in run:
        if parts and len(_columns([*parts[-1], row])) >= 2:
            parts[-1].append(row)
        else:
            parts.append([row])
    return [p for p in parts if sum(1 for r in p if len(r.cells) > 1) >= _LEAST_ROWS]


def _columns(rows: Sequence[_Row]) -> list[tuple[float, float]]:
    """Return the horizontal stretches that words cover in some row: gaps in every row separate columns."""
    spans = sorted((c.left, c.right) for row in rows for c in row.cells)
    columns: list[tuple[float, float]] = []
    for left, right in spans:
        if columns and left < columns[-1][1] + 2:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    return columns


def _placed(row: _Row, columns: Sequence[tuple[float, float]]) -> list[str]:
    placed = [""] * len(columns)
    for cell in row.cells:
        at = next(i for i, (left, right) in enumerate(columns) if left <= cell.left and cell.right <= right)
        if not _RULE.fullmatch(cell.text):
            placed[at] = f"{placed[at]} {cell.text}".strip()
    return placed


def _is_table(table: Sequence[Sequence[str]]) -> bool:
    """Tell a table from a list, a table of contents, a signature block and text in columns."""
    columns = [[cell for cell in column if cell] for column in zip(*table, strict=True)]
    if not 2 <= len(columns) <= _MOST_COLUMNS or sum(1 for row in table if sum(map(bool, row)) > 1) < _LEAST_ROWS:
        return False
    cells = [cell for column in columns for cell in column]
    if any(_SIGNED.search(c) for c in cells) or _is_contents(table):
        return False
    if sum(bool(_LEADERS.search(c) or _SIGNATURE.match(c)) for c in cells) > len(cells) // _FORM:
        return False
    filled = [column for column in columns if len(column) > len(table) // 2]
    values = [column for column in filled if sum(bool(_LABEL.fullmatch(c)) for c in column) <= len(column) // 2]
    if len(filled) < 2 or not values or (len(values) < 2 and not any(_FIGURE.fullmatch(c) for c in values[0])):
        return False
    wordy = [statistics.mean(len(c.split()) for c in column) for column in columns]
    return sum(w < _WORDY for w in wordy) >= 2 or any(
        sum(bool(_FIGURE.fullmatch(c)) for c in column) > len(column) // 2 for column in columns
    )


def _is_contents(table: Sequence[Sequence[str]]) -> bool:
    """Tell a table of contents: named or numbered parts, and pages that never go back."""
    rows = [row for row in table if row[-1]]
    pages = [int(row[-1]) for row in rows if re.fullmatch(r"\d{1,3}", row[-1])]
    named = len(table[0]) == 2 or sum(bool(_CONTENTS.match(row[0])) for row in rows) > len(rows) // 2
    return named and len(pages) == len(rows) and pages == sorted(pages)


def _joined(table: Sequence[Sequence[str]]) -> list[list[str]]:
    """Rejoin the lines of wrapped cells: a line whose first cell is empty continues the row above."""
    rows: list[list[str]] = []
    for row in table:
        alone = sum(map(bool, row)) == 1 and len(row) > 1
        if rows and alone and not row[0]:
            rows[-1] = [f"{a} {b}".strip() for a, b in zip(rows[-1], row, strict=True)]
        else:
            rows.append(list(row))
    return rows
