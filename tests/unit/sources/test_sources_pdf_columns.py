"""Tables that stand in columns without rulings, and what stands in columns without being a table."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tasks.sources.extract import extract
from tasks.sources.records import SegmentKind

_spec = importlib.util.spec_from_file_location("source_files", Path(__file__).with_name("source_files.py"))
assert _spec is not None
assert _spec.loader is not None
files = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(files)

Page = list[tuple[float, float, str]]


def page(
    rows: list[list[str]], columns: tuple[float, ...] = (72, 250, 420), top: float = 700, pitch: float = 16
) -> Page:
    """Words at fixed columns, a row a line; an empty cell prints nothing."""
    return [
        (x, top - n * pitch, cell) for n, row in enumerate(rows) for x, cell in zip(columns, row, strict=False) if cell
    ]


def tables(*pages: Page) -> dict[str, list[list[str]]]:
    read = extract(files.pdf(list(pages)), "a.pdf", tables=True)
    rows = [s for s in read.segments if s.kind is SegmentKind.ROW]
    return {
        t.label: [read.text[r.start : r.end].split(" | ") for r in rows if t.start <= r.start < t.end]
        for t in read.segments
        if t.kind is SegmentKind.TABLE
    }


FEES = [
    ["Service", "Fee", "Due"],
    ["Audit", "$5,000", "1 May"],
    ["Filing", "$900", "3 June"],
    ["Total", "$5,900", "Q2"],
]
PROSE = "This is a line of running text that goes across the whole of the page here."


def test_a_table_in_columns_between_paragraphs() -> None:
    words = [(72, 740, PROSE), *page(FEES), (72, 600, PROSE)]
    assert tables(words) == {"p. 1, table 1 (no rulings)": FEES}


def test_two_tables_with_different_columns_and_pages() -> None:
    second = page([["A", "$1"], ["B", "$2"], ["C", "$3"]], columns=(100, 300), top=500)
    found = tables([*page(FEES), *second], page(FEES))
    assert list(found) == [
        "p. 1, table 1 (no rulings)", "p. 1, table 2 (no rulings)", "p. 2, table 1 (no rulings)",
    ]  # fmt: skip
    assert found["p. 1, table 2 (no rulings)"] == [["A", "$1"], ["B", "$2"], ["C", "$3"]]


def test_empty_cells_keep_their_column_and_wrapped_cells_are_one() -> None:
    rows = [["Milestone", "Amount", "Due"], ["Signing", "", "1 May"], ["Approval", "$5m", "within thirty"],
            ["", "", "days of it"], ["Launch", "$7m", "3 June"]]  # fmt: skip
    (found,) = tables(page(rows)).values()
    assert found == [rows[0], ["Signing", "", "1 May"], ["Approval", "$5m", "within thirty days of it"], rows[4]]


@pytest.mark.parametrize(
    "rows",
    [
        [["By: /s/ Ann Lee", "By: /s/ Bob"], ["Ann Lee", "Bob Smith"], ["General Counsel", "President"]],
        [["Section 1.01.", "Definitions", "4"], ["Section 1.02.", "Fees", "4"], ["Section 2.01.", "Term", "9"]],
        [["1. Fees ........", "3"], ["2. Term ........", "5"], ["3. Notices .....", "7"]],
        [["Overview", "1"], ["Fees", "1"], ["Notices", "12"]],
        [["4.6", "Notwithstanding the above"], ["4.7", "Upon the expiration"], ["4.8", "The parties agree"]],
        [["(a)", "the fee is paid"], ["(b)", "the term has ended"], ["(c)", "notice was given"]],
        [["Audit", "$5"], ["Filing", "$9"]],
        [[PROSE], [PROSE], [PROSE]],
    ],
    ids=["signatures", "contents", "dotted contents", "plain contents", "clauses", "list", "two rows", "prose"],
)
def test_what_is_no_table(rows: list[list[str]]) -> None:
    assert tables(page(rows, columns=(72, 300, 520))) == {}


def test_running_text_in_two_columns_is_no_table() -> None:
    left, right = "The seller shall deliver the goods and bear", "all of the costs until they are received by"
    assert tables([(x, 700 - 14 * n, t) for n in range(12) for x, t in ((60, left), (320, right))]) == {}
