"""Delimited text (csv, tsv): one line per row, with the header's words beside each value."""

from __future__ import annotations

import csv
import io

from tasks.matter.failures import FailureCause
from tasks.sources.builder import MAX_CHARACTERS, Reading, TextBuilder, clean
from tasks.sources.readers import Source
from tasks.sources.readers.plain import decode
from tasks.sources.readers.xlsx import cell_on_one_line, column_letters
from tasks.sources.records import SegmentKind

_MAX_ROWS = 100_000  # bounds the time and the text of one file
_CITED_CELLS = 60_000  # cells with a place of their own; after them rows are cited


def read(source: Source) -> Reading:
    """Read rows; cells carry spreadsheet addresses so that they can be cited."""
    text = clean(decode(source.data)[: 2 * MAX_CHARACTERS]).replace("\f", "\n")
    out = TextBuilder()
    csv.field_size_limit(1_000_000)
    try:
        dialect: type[csv.Dialect] | csv.Dialect = csv.Sniffer().sniff(text[:20_000], delimiters=",;\t|")
    except csv.Error:
        dialect = csv.excel
    cited = 0
    try:
        for number, row in enumerate(csv.reader(io.StringIO(text), dialect), start=1):
            if number > _MAX_ROWS:
                out.fail(FailureCause.CAPACITY, f"Only the first {_MAX_ROWS} rows were read.", "Split the file.")
                break
            cited += _row(out, number, row, cited < _CITED_CELLS)
            if out.full:
                break
    except csv.Error as error:
        out.fail(FailureCause.INPUT, f"The rows after this point are malformed ({error}).", "Save the file again.")
    return out.build()


def _row(out: TextBuilder, number: int, row: list[str], cited: bool) -> int:
    """Write a row, with a segment for each cell that may be cited; return the number of cells."""
    cells = [(column_letters(at), cell_on_one_line(value)) for at, value in enumerate(row, start=1) if value.strip()]
    if not cells:
        return 0
    out.gap(1)
    with out.segment(SegmentKind.ROW, f"row {number}"):
        for at, (column, value) in enumerate(cells):
            out.write(" | " if at else "")
            start = out.offset
            out.write(f"{column}{number}: {value}")
            if cited:
                out.mark(SegmentKind.CELL, f"{column}{number}", start, out.offset)
    return len(cells)
