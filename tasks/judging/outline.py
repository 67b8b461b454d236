"""The outline of a deliverable: headings with levels, paragraphs, and table rows with their columns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from tasks.sources.records import CanonicalText, Segment, SegmentKind

_HASHES = re.compile(r"^\s{0,3}(#{1,6})\s+(.*\S)")
_NUMBERED = re.compile(r"^\s*(\d+(?:\.\d+)*)[.)]?\s+\S")
_SPLIT_ROW = re.compile(r"\s*\|\s*|\t")
_ADDRESS = re.compile(r"^\$?[A-Z]{1,3}\$?\d+:\s")
# Running heads and notes in the margin belong to no section.
_MARGINAL = frozenset({SegmentKind.HEADER, SegmentKind.FOOTER, SegmentKind.COMMENT})


@dataclass(frozen=True)
class Block:
    """One heading, paragraph or table row of a deliverable.

    Attributes:
        level: Level of a heading, 0 where the format does not tell.
        cells: Cells of a row; ``columns`` are the header cells above them (same length or shorter).
        table: Number of the table that a row belongs to, -1 for others.
    """

    kind: Literal["heading", "paragraph", "row"]
    text: str
    level: int = 0
    cells: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    table: int = -1


def outline(text: CanonicalText) -> list[Block]:
    """Return the blocks of a deliverable in reading order."""
    rows = [s for s in text.segments if s.kind is SegmentKind.ROW]
    margins = [s for s in text.segments if s.kind in _MARGINAL]
    tables = [s for s in text.segments if s.kind in {SegmentKind.TABLE, SegmentKind.SHEET}]
    builder = _Builder(text, tables)
    at = 0
    for start, end, line in _lines(text.text):
        if start < at or not line.strip() or any(m.start <= start < m.end for m in margins):
            continue
        row = next((r for r in rows if r.start <= start < r.end), None)
        if row is not None:
            builder.row(_row_cells(text, row), builder.table_of(row.start))
            at = row.end
            continue
        builder.line(start, end, line)
    return builder.blocks


class _Builder:
    """Collects blocks; remembers the header row of the table at hand."""

    def __init__(self, text: CanonicalText, tables: list[Segment]) -> None:
        self.blocks: list[Block] = []
        self._headings = [s for s in text.segments if s.kind in {SegmentKind.HEADING, SegmentKind.SLIDE}]
        self._tables = tables
        self._header: tuple[int, tuple[str, ...]] = (-1, ())
        self._sheets: set[int] = set()
        self._loose = 1000  # numbers for pipe tables that no segment announces

    def table_of(self, offset: int) -> int:
        inner = [i for i, t in enumerate(self._tables) if t.start <= offset < t.end]
        return inner[-1] if inner else self._loose

    def row(self, cells: tuple[str, ...], table: int) -> None:
        if not any(c.strip() for c in cells) or all(re.fullmatch(r":?-{2,}:?", c) for c in cells if c):
            return
        if table < len(self._tables) and table not in self._sheets:
            self._sheets.add(table)
            segment = self._tables[table]
            if segment.kind is SegmentKind.SHEET:
                self.blocks.append(Block("heading", segment.label, level=1))
        if self._header[0] != table:
            self._header = (table, cells)
            self.blocks.append(Block("row", " | ".join(cells), cells=cells, table=table))
            return
        self.blocks.append(Block("row", " | ".join(cells), cells=cells, columns=self._header[1], table=table))

    def line(self, start: int, end: int, line: str) -> None:
        table = self.table_of(start)
        if table < len(self._tables) or (line.strip().startswith("|") and line.count("|") > 2):
            cells = _split(line)
            if len(cells) > 1:
                self.row(cells, table)
                return
        if table >= len(self._tables):
            self._loose += 1
        hashes = _HASHES.match(line)
        heading = next((h for h in self._headings if h.start <= start < h.end and end <= h.end + 1), None)
        if hashes:
            self.blocks.append(Block("heading", hashes.group(2), level=len(hashes.group(1))))
        elif heading is not None:
            self.blocks.append(Block("heading", line.strip(), level=heading.level or _level(line)))
        else:
            self.blocks.append(Block("paragraph", line.strip()))


def _level(line: str) -> int:
    numbered = _NUMBERED.match(line)
    return numbered.group(1).count(".") + 1 if numbered else 0


def _row_cells(text: CanonicalText, row: Segment) -> tuple[str, ...]:
    cells = [s for s in text.segments if s.kind is SegmentKind.CELL and row.start <= s.start and s.end <= row.end]
    if cells:
        return _by_column([(s.label, _ADDRESS.sub("", text.text[s.start : s.end]).strip()) for s in cells])
    return _split(text.text[row.start : row.end])


def _split(line: str) -> tuple[str, ...]:
    """Split a row at its bars or tabs; an empty first cell keeps its place, outer bars of Markdown do not."""
    line = line.strip(" \n")
    if len(line) > 1 and line.startswith("|") and line.endswith("|"):
        line = line[1:-1]
    return tuple(c.strip() for c in _SPLIT_ROW.split(line))


def _by_column(cells: list[tuple[str, str]]) -> tuple[str, ...]:
    """Put cells labelled ``Sheet!C4`` into their columns, so that blanks keep their place."""
    placed: dict[int, str] = {}
    for i, (label, value) in enumerate(cells):
        ref = re.search(r"!?\$?([A-Z]{1,3})\$?\d+$", label)
        column = i
        if ref:
            column = 0
            for ch in ref.group(1):
                column = column * 26 + ord(ch) - 64
            column -= 1
        placed[column] = value
    return tuple(placed.get(i, "") for i in range(max(placed) + 1))


def _lines(text: str) -> list[tuple[int, int, str]]:
    out, at = [], 0
    for line in text.split("\n"):
        out.append((at, at + len(line), line))
        at += len(line) + 1
    return out
