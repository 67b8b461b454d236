"""Ruled tables of a PDF, read where they are asked for."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from tasks.sources.extract import extract
from tasks.sources.records import SegmentKind

_spec = importlib.util.spec_from_file_location("source_files", Path(__file__).with_name("source_files.py"))
assert _spec is not None
assert _spec.loader is not None
files = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(files)

GRID = b"\n".join(
    [b"0.5 w"]
    + [b"100 %d m 300 %d l S" % (y, y) for y in (700, 680, 660, 640)]
    + [b"%d 640 m %d 700 l S" % (x, x) for x in (100, 200, 300)]
)
CELLS = [
    (105, 685, "Item"), (205, 685, "Price"), (105, 665, "Widget"), (205, 665, "$10"), (105, 645, "Gear"),
    (205, 645, "$12"), (100, 600, "Prices exclude tax."),
]  # fmt: skip


def test_a_ruled_table_is_read_by_rows() -> None:
    found = extract(files.pdf([CELLS], drawing=GRID), "a.pdf", tables=True)
    assert found.text == "Item | Price\nWidget | $10\nGear | $12\n"
    tables = [(s.label, s.start) for s in found.segments if s.kind is SegmentKind.TABLE]
    assert tables == [("p. 1, table 1", 0)]
    assert [s.label for s in found.segments if s.kind is SegmentKind.ROW][-1] == "p. 1, table 1, row 3"


def test_a_table_in_columns_says_that_it_has_no_rulings() -> None:
    found = extract(files.pdf([CELLS]), "a.pdf", tables=True)
    assert found.text == "Item | Price\nWidget | $10\nGear | $12\n"
    assert [s.label for s in found.segments if s.kind is SegmentKind.TABLE] == ["p. 1, table 1 (no rulings)"]


def test_text_without_columns_is_no_table() -> None:
    found = extract(files.pdf([[(72, 700 - 14 * n, "The rent is due.") for n in range(5)]]), "a.pdf", tables=True)
    assert found.text == ""


def test_the_running_text_is_not_touched() -> None:
    data = files.pdf([CELLS], drawing=GRID)
    assert "Prices exclude tax." in extract(data, "a.pdf").text
    assert "Prices exclude tax." not in extract(data, "a.pdf", tables=True).text


def test_a_damaged_pdf_is_a_problem_not_a_crash() -> None:
    found = extract(files.pdf([CELLS], drawing=GRID)[:300], "a.pdf", tables=True)
    assert found.text == ""
    assert found.problems
