"""The outline of a deliverable: headings with levels, paragraphs, and table rows with their columns."""

from __future__ import annotations

import bisect
import contextlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tasks.sources.records import CanonicalText, Segment, SegmentKind

_HASHES = re.compile(r"^\s{0,3}(#{1,6})\s+(.*\S)")
_NUMBERED = re.compile(r"^\s*(\d+(?:\.\d+)*)[.)]?\s+\S")
_SPLIT_ROW = re.compile(r"\s*\|\s*|\t")
_ADDRESS = re.compile(r"^\$?[A-Z]{1,3}\$?\d+:\s")
# Running heads and notes in the margin belong to no section.
_MARGINAL = frozenset({SegmentKind.HEADER, SegmentKind.FOOTER, SegmentKind.COMMENT})
_ROWS = frozenset({SegmentKind.ROW})
_CELLS = frozenset({SegmentKind.CELL})
_TABLES = frozenset({SegmentKind.TABLE, SegmentKind.SHEET})
_HEADINGS = frozenset({SegmentKind.HEADING})  # a slide has its title as one; the rest of it is text
_DEPTH = 50  # segments looked back at for one that still holds an offset
_WIDEST = 200  # columns up to which a blank cell keeps its place
_LOOSE = 1_000_000  # number of the first table without a sheet of its own: above every number of a sheet


@dataclass(frozen=True)
class OutlineBlock:
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


def outline(text: CanonicalText) -> list[OutlineBlock]:
    """Return the blocks of a deliverable in reading order."""
    if text.media == "json":
        with contextlib.suppress(ValueError, RecursionError):  # what was cut or is no JSON is read by its lines
            return list(_of_json(json.loads(text.text)))
    rows, cells, margins = (_Places(text, kinds) for kinds in (_ROWS, _CELLS, _MARGINAL))
    builder = _Builder(text)
    at = 0
    for start, end, line in _lines(text.text):
        if start < at or not line.strip() or margins.at(start) is not None:
            continue
        row = rows.at(start)
        if row is not None:
            builder.row(_row_cells(text, row, cells.within(row)), builder.table_of(row.start))
            at = row.end
            continue
        builder.line(start, end, line)
    return builder.blocks


def _of_json(value: Any, level: int = 1, table: int = 0) -> Iterator[OutlineBlock]:
    """Yield what JSON says: objects side by side are rows under their keys, a key above anything else is a heading."""
    if isinstance(value, list) and value and all(isinstance(item, dict) and _is_flat(item) for item in value):
        columns = tuple(dict.fromkeys(key for item in value for key in item))
        yield OutlineBlock("row", " | ".join(columns), cells=columns, table=table)
        for item in value:
            cells = tuple(_plain_words(item.get(column)) for column in columns)
            yield OutlineBlock("row", " | ".join(cells), cells=cells, columns=columns, table=table)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _of_json(item, level, table * len(value) + number + 1)
    elif isinstance(value, dict):
        for number, (key, item) in enumerate(value.items()):
            if isinstance(item, dict | list):
                yield OutlineBlock("heading", key, level=level)
                yield from _of_json(item, level + 1, table * len(value) + number + 1)
            elif _plain_words(item):
                yield OutlineBlock("paragraph", f"{key}: {_plain_words(item)}")
    elif _plain_words(value):
        yield OutlineBlock("paragraph", _plain_words(value))


def _is_flat(item: Mapping[str, Any]) -> bool:
    return not any(isinstance(value, dict | list) for value in item.values())


def _plain_words(value: Any) -> str:
    return "" if value is None else " ".join(str(value).split())


class _Places:
    """Segments of some kinds, found by offset without going through all of them."""

    def __init__(self, text: CanonicalText, kinds: frozenset[SegmentKind]) -> None:
        self.found = [s for s in text.segments if s.kind in kinds]
        self._starts = [s.start for s in self.found]

    def index(self, offset: int) -> int:
        """Return the number of the innermost segment that holds ``offset``, -1 for none."""
        last = bisect.bisect_right(self._starts, offset) - 1
        for i in range(last, max(-1, last - _DEPTH), -1):
            if offset < self.found[i].end:
                return i
        return -1

    def at(self, offset: int) -> Segment | None:
        """Return the innermost segment that holds ``offset``."""
        i = self.index(offset)
        return None if i < 0 else self.found[i]

    def within(self, outer: Segment) -> list[Segment]:
        """Return the segments inside another."""
        first = bisect.bisect_left(self._starts, outer.start)
        last = bisect.bisect_left(self._starts, outer.end)
        return [s for s in self.found[first:last] if s.end <= outer.end]


class _Builder:
    """Collects blocks; remembers the header row of the table at hand."""

    def __init__(self, text: CanonicalText) -> None:
        self.blocks: list[OutlineBlock] = []
        self._headings = _Places(text, _HEADINGS)
        self._tables = _Places(text, _TABLES)
        self._header: tuple[int, tuple[str, ...]] = (-1, ())
        self._sheets: set[int] = set()
        self._loose = _LOOSE

    def table_of(self, offset: int) -> int:
        """Return the number of the table at ``offset``; pipe tables that no segment announces count from a million."""
        inner = self._tables.index(offset)
        return self._loose if inner < 0 else inner

    def row(self, cells: tuple[str, ...], table: int) -> None:
        if not any(c.strip() for c in cells) or all(re.fullmatch(r":?-{2,}:?", c) for c in cells if c):
            return
        if table < _LOOSE and table not in self._sheets:
            self._sheets.add(table)
            segment = self._tables.found[table]
            if segment.kind is SegmentKind.SHEET:
                self.blocks.append(OutlineBlock("heading", segment.label, level=1))
        if self._header[0] != table:
            self._header = (table, cells)
            self.blocks.append(OutlineBlock("row", " | ".join(cells), cells=cells, table=table))
            return
        self.blocks.append(OutlineBlock("row", " | ".join(cells), cells=cells, columns=self._header[1], table=table))

    def line(self, start: int, end: int, line: str) -> None:
        table = self.table_of(start)
        if table < _LOOSE or (line.strip().startswith("|") and line.count("|") > 2):
            cells = _split(line)
            if len(cells) > 1:
                self.row(cells, table)
                return
        if table >= _LOOSE:
            self._loose += 1
        hashes = _HASHES.match(line)
        heading = self._headings.at(start)
        if hashes:
            self.blocks.append(OutlineBlock("heading", hashes.group(2), level=len(hashes.group(1))))
        elif heading is not None and end <= heading.end + 1:
            self.blocks.append(OutlineBlock("heading", line.strip(), level=heading.level or _level(line)))
        else:
            self.blocks.append(OutlineBlock("paragraph", line.strip()))


def _level(line: str) -> int:
    numbered = _NUMBERED.match(line)
    return numbered.group(1).count(".") + 1 if numbered else 0


def _row_cells(text: CanonicalText, row: Segment, cells: list[Segment]) -> tuple[str, ...]:
    if cells:
        return _by_column([(s.label, _ADDRESS.sub("", text.text[s.start : s.end]).strip()) for s in cells])
    return _split(text.text[row.start : row.end], outer_bars=text.media == "md")


def _split(line: str, outer_bars: bool = True) -> tuple[str, ...]:
    """Split a row at its bars or tabs; an empty first cell keeps its place, outer bars of Markdown do not."""
    line = line.strip(" \n")
    if outer_bars and len(line) > 1 and line.startswith("|") and line.endswith("|"):
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
    if max(placed) > _WIDEST:
        return tuple(value for _, value in cells)
    return tuple(placed.get(i, "") for i in range(max(placed) + 1))


def _lines(text: str) -> list[tuple[int, int, str]]:
    out, at = [], 0
    for line in text.split("\n"):
        out.append((at, at + len(line), line))
        at += len(line) + 1
    return out
