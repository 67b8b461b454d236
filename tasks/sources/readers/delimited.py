"""Delimited text (csv, tsv): a line a row, with the header's words beside each value."""

from __future__ import annotations

import csv
import io

from tasks.matter.failures import FailureCause
from tasks.sources.builder import Reading, TextBuilder, clean
from tasks.sources.readers import Source
from tasks.sources.readers.plain import decode
from tasks.sources.readers.xlsx import column_letters, one_line
from tasks.sources.records import SegmentKind

_MAX_ROWS = 200_000


def read(source: Source) -> Reading:
    """Read rows; cells carry spreadsheet addresses so that they can be cited."""
    text = clean(decode(source.data)).replace("\f", "\n")
    out = TextBuilder()
    csv.field_size_limit(1_000_000)
    try:
        dialect: type[csv.Dialect] | csv.Dialect = csv.Sniffer().sniff(text[:20_000], delimiters=",;\t|")
    except csv.Error:
        dialect = csv.excel
    try:
        for number, row in enumerate(csv.reader(io.StringIO(text), dialect), start=1):
            if number > _MAX_ROWS:
                out.fail(FailureCause.CAPACITY, f"Only the first {_MAX_ROWS} rows were read.", "Split the file.")
                break
            _row(out, number, row)
    except csv.Error as error:
        out.fail(FailureCause.INPUT, f"The rows after this point are malformed ({error}).", "Save the file again.")
    return out.build()


def _row(out: TextBuilder, number: int, row: list[str]) -> None:
    cells = [(column_letters(at), one_line(value)) for at, value in enumerate(row, start=1) if value.strip()]
    if not cells:
        return
    out.gap(1)
    with out.segment(SegmentKind.ROW, f"row {number}"):
        for at, (column, value) in enumerate(cells):
            out.write(" | " if at else "")
            with out.segment(SegmentKind.CELL, f"{column}{number}"):
                out.write(f"{column}{number}: {value}")
