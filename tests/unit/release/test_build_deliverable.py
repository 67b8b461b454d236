"""Deliverables: what is written reads back whole, typed, inert, and the same bytes twice."""

from __future__ import annotations

import csv
import io
import json
import re
import time
import zipfile
from datetime import date, datetime
from decimal import Decimal

import pypandoc
import pytest

from tasks.matter.failures import FailureCause, SolonError
from tasks.release.build.deliverable import BUILDERS, Column, Table, build_deliverable, deliverable_bytes
from tasks.release.build.docx import docx_bytes
from tasks.sources.records import SegmentKind
from tasks.sources.texts import read_file

MEMO = """# Memorandum

**To:** Partner, *draft for review*

## Bottom line

1. Consent is needed for $5 million and US$6 million, not $7_000_000 or 10 * 2 * 3.
2. Second
   - nested
   - another

     with more
3. Third

> “Supplier shall not assign this Agreement.” [Supply Agreement § 9.2(b), p. 14]

| Document | Answer |
|---|---|
| Supply | Consent `x` & <b>y</b> \\| z |
| Lease | 2024-03-03 |

7. starts at seven

```
code <line>
```

[link](http://example.org/x) ~~gone~~ line\\
break — “quotes” ﬁ 漢字 🙂
"""
LEDGER = Table(
    name="Ledger: of/figures [1]",
    columns=(
        Column(name="Document"),
        Column(name="Answer", type="auto"),
        Column(name="Amount", type="money"),
        Column(name="Share", type="percent"),
        Column(name="Due", type="date"),
        Column(name="Count", type="integer"),
    ),
    rows=(
        ("supply.docx", "2024-03-03", "USD 1,200,000", "12.5%", date(2024, 5, 6), 3),
        ("=HYPERLINK(1)", "no", "€ 5.50", None, "not stated", "1,200"),
        ("short row",),
        ("+1-2", True, Decimal("7.25"), 0.5, "2024-13-45", None),
    ),
)
WORDS = [
    "Memorandum",
    "Partner",
    "Consent is needed",
    "$7_000_000",
    "10 * 2 * 3",
    "nested",
    "with more",
    "§ 9.2(b), p. 14",
]
WORDS += ["Consent x & <b>y</b>", "2024-03-03", "code <line>", "http://example.org/x", "漢字 🙂", "“quotes”"]


@pytest.mark.parametrize("suffix", sorted(BUILDERS))
def test_the_same_content_gives_the_same_bytes(suffix, tmp_path):
    path = tmp_path / f"out{suffix}"
    build_deliverable(MEMO, [LEDGER], path)
    first = path.read_bytes()
    time.sleep(0.01)
    build_deliverable(MEMO, [LEDGER], path)
    assert path.read_bytes() == first
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("suffix", [".docx", ".pptx", ".pdf", ".xlsx", ".md", ".txt", ".eml"])
def test_all_text_reads_back(suffix, tmp_path):
    path = tmp_path / f"out{suffix}"
    build_deliverable(MEMO, [LEDGER], path)
    read = read_file(path)
    assert read.problems == ()
    flat = " ".join(read.text.split())
    plain = suffix in (".md", ".txt", ".eml")
    for word in WORDS[:8] if plain or suffix == ".xlsx" else WORDS:
        assert word in flat, word
    if suffix not in (".md", ".txt", ".eml"):
        assert "supply.docx" in flat
        assert "=HYPERLINK(1)" in flat


def test_docx_has_real_structure(tmp_path):
    import docx

    path = tmp_path / "memo.docx"
    build_deliverable(MEMO, [LEDGER], path)
    document = docx.Document(str(path))
    styles = [p.style.name for p in document.paragraphs if p.text]
    assert styles[:3] == ["Heading 1", "Normal", "Heading 2"]
    assert "Quote" in styles
    for table in document.tables:
        assert table.rows[0]._tr.trPr.xpath("w:tblHeader")
    with zipfile.ZipFile(path) as archive:
        assert b" PAGE " in archive.read("word/footer1.xml")
        assert {i.date_time for i in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    read = read_file(path)
    headings = [s.label for s in read.segments if s.kind is SegmentKind.HEADING]
    assert headings == ["Memorandum", "Bottom line", "Ledger: of/figures [1]"]
    assert "1. Consent" in read.text
    assert "3. Third" in read.text
    assert "7. starts at seven" in read.text


def test_pandoc_reads_the_same_document(tmp_path):
    path = tmp_path / "memo.docx"
    build_deliverable(MEMO, [LEDGER], path)
    plain = " ".join(pypandoc.convert_file(str(path), "plain", extra_args=["--wrap=none"]).split())
    for word in ("Memorandum", "$5 million and US$6 million", "nested", "supply.docx", "1,200,000"):
        assert word in plain


def test_xlsx_cells_are_typed_and_inert(tmp_path):
    import openpyxl

    path = tmp_path / "matrix.xlsx"
    build_deliverable(None, [LEDGER, LEDGER], path)
    book = openpyxl.load_workbook(path)
    assert len(set(book.sheetnames)) == 2
    sheet = book.worksheets[0]
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref == "A1:G5"
    header = [c.value for c in sheet[1]]
    assert header == ["Document", "Answer", "Amount", "Amount currency", "Share", "Due", "Count"]
    first = [c.value for c in sheet[2]]
    assert first == ["supply.docx", datetime(2024, 3, 3), 1200000, "USD", 0.125, datetime(2024, 5, 6), 3]
    second = [c.value for c in sheet[3]]
    assert second == ["=HYPERLINK(1)", "no", 5.5, "EUR", None, "not stated", 1200]
    assert sheet["A3"].data_type == "s"
    assert [c.value for c in sheet[5]][:4] == ["+1-2", "yes", 7.25, None]
    assert sheet["F5"].value == "2024-13-45"
    assert not sheet.merged_cells.ranges


def test_xlsx_takes_tables_from_markdown(tmp_path):
    import openpyxl

    path = tmp_path / "matrix.xlsx"
    build_deliverable("# Terms\n\n| Document | Date |\n|---|---|\n| a | 2024-01-02 |\n", None, path)
    sheet = openpyxl.load_workbook(path)["Terms"]
    assert sheet["B2"].value == datetime(2024, 1, 2)


def test_plain_formats():
    rows = list(csv.reader(io.StringIO(deliverable_bytes(None, [LEDGER], ".csv").decode())))
    assert rows[2][0] == "'=HYPERLINK(1)"
    assert rows[1][5] == "3"
    data = json.loads(deliverable_bytes(None, [LEDGER], ".json"))
    assert data[0]["Due"] == "2024-05-06"
    assert json.loads(deliverable_bytes("# A", [LEDGER], ".json"))["text"] == "# A"
    assert deliverable_bytes("a|b", None, ".md") == b"a|b\n"
    assert b"Subject: Memorandum" in deliverable_bytes(MEMO, None, ".eml")


@pytest.mark.parametrize("suffix", sorted(BUILDERS))
def test_nothing_to_write_still_gives_a_readable_file(suffix, tmp_path):
    path = tmp_path / f"empty{suffix}"
    build_deliverable(None, None, path)
    assert not [p for p in read_file(path).problems if "corrupt" in p.message]


@pytest.mark.slow
def test_hostile_text_is_written_safely(tmp_path):
    hostile = (
        "# A\x00\x01\x0b\ufffe\n\n"
        + "".join(map(chr, range(1, 32)))
        + " ]]> &amp; <w:p/> \udcff\n\n"
        + "> " * 500
        + "deep"
    )
    cells = Table(
        name="[]:*?/\\" * 10, columns=(Column(name="\x00a"),), rows=(("\x07" * 5,), ("x" * 70_000,), (10**30,))
    )
    for suffix in BUILDERS:
        path = tmp_path / f"out{suffix}"
        build_deliverable(hostile, [cells], path)
        assert path.stat().st_size > 0
    assert "<w:p/>" in read_file(tmp_path / "out.docx").text


def test_unknown_formats_are_a_typed_failure(tmp_path):
    with pytest.raises(SolonError) as caught:
        build_deliverable("x", None, tmp_path / "memo.pages")
    assert caught.value.failure.cause is FailureCause.INPUT
    assert ".docx" in caught.value.failure.remedy
    assert list(tmp_path.iterdir()) == []


def test_a_long_memo_is_built_quickly(no_hang):
    markdown = "\n\n".join(f"Paragraph {n} with **bold** words and a citation [A § {n}]." for n in range(2000))
    docx_bytes(markdown, ())


def test_a_narrow_column_holds_its_longest_word():
    long = "words " * 200
    made = docx_bytes(f"| No. | State | Answer |\n|---|---|---|\n| 1 | answered | {long}|\n", ())
    xml = zipfile.ZipFile(io.BytesIO(made)).read("word/document.xml").decode()
    number, state, answer = (int(w) for w in re.findall(r'<w:gridCol w:w="(\d+)"/>', xml))
    assert number >= 500  # twentieths of a point
    assert state >= 100 * len("answered")
    assert answer > state
    assert number + state + answer <= 9638
