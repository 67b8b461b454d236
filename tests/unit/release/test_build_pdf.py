"""PDF deliverables: what is written reads back with the same words, headings, lists, tables and signs."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pypdfium2
import pytest

from tasks.release.build.markdown import blocks, plain_runs
from tasks.release.build.pdf import pdf_bytes, without_sign
from tasks.release.tables import Column, Table
from tasks.sources.records import SegmentKind
from tasks.sources.texts import read_file
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import ToolRegistry

PROJECT = Path(__file__).resolve().parents[3]
PROSE = (
    "The Supplier shall not assign this Agreement number {n} without the consent of customer {n}, which may refuse it."
)


def read(markdown: str, tmp_path: Path, tables: bool = False) -> str:
    file = tmp_path / "memo.pdf"
    file.write_bytes(pdf_bytes(markdown, ()))
    return read_file(file, tables=tables).text


@pytest.mark.parametrize("name", ["README.md", "docs/decisions.md"])
def test_every_word_of_a_long_document_reads_back(name: str, tmp_path: Path) -> None:
    markdown = (PROJECT / name).read_text(encoding="utf-8")
    said: Counter[str] = Counter()
    for block in blocks(markdown):
        texts = [plain_runs(cell) for row in block.rows for cell in row] if block.kind == "table" else [block.text]
        said.update(word for text in texts for word in text.split())
    found = Counter(read(markdown, tmp_path).split())
    assert said - found == Counter()
    assert found.total() - said.total() < 0.05 * said.total()  # numbers and bullets of lists


@pytest.mark.parametrize("name", ["README.md", "docs/decisions.md", "CONTRIBUTING.md"])
def test_headings_and_paragraphs_read_back_as_they_were_divided(name: str, tmp_path: Path) -> None:
    markdown = (PROJECT / name).read_text(encoding="utf-8")
    file = tmp_path / "memo.pdf"
    file.write_bytes(pdf_bytes(markdown, ()))
    found = read_file(file)
    parsed = blocks(markdown)
    headings = [(" ".join(block.text.split()), block.level) for block in parsed if block.kind == "heading"]
    assert [(s.label, s.level) for s in found.segments if s.kind is SegmentKind.HEADING] == headings
    lines = set(found.text.split("\n"))
    divided = [" ".join(block.text.split()) for block in parsed if block.kind in ("heading", "paragraph")]
    assert sum(said in lines for said in divided) >= 0.9 * len(divided)


def test_lists_read_back_with_their_numbers(tmp_path: Path) -> None:
    lines = read(
        f"# List\n\n{PROSE.format(n=1)} {PROSE.format(n=2)}\n\n3. Third thing\n4. Fourth thing\n   - nested thing\n",
        tmp_path,
    ).split("\n")
    assert {"List", "3. Third thing", "4. Fourth thing", "• nested thing"} <= set(lines)


def test_tables_read_back_cell_by_cell_over_pages(tmp_path: Path) -> None:
    rows = [("Contract", "Answer", "Clause"), *((f"Lease {n}", PROSE.format(n=n), f"§ {n}.2(b)") for n in range(60))]
    markdown = "\n".join(
        ("| " + " | ".join(row) + " |") + ("\n|---|---|---|" if not n else "") for n, row in enumerate(rows)
    )
    found = [tuple(line.split(" | ")) for line in read(markdown, tmp_path, tables=True).split("\n") if " | " in line]
    assert [row for row in found if row != rows[0]] == rows[1:]
    assert found.count(rows[0]) > 1  # the header stands on every page


def test_typed_tables_have_their_name_and_a_row_longer_than_a_page_is_set(tmp_path: Path) -> None:
    table = Table(name="Ledger", columns=(Column(name="Item"), Column(name="Sum", type="money")),
                  rows=(("fee " * 2_000, "USD 1,200"),))  # fmt: skip
    (tmp_path / "t.pdf").write_bytes(pdf_bytes("", (table,)))
    text = read_file(tmp_path / "t.pdf").text
    assert text.startswith("Ledger")
    assert text.count("fee") == 2_000
    assert "USD" in text


def test_signs_of_law_and_language_survive_and_others_stay_in_the_text(tmp_path: Path) -> None:
    said = "“Curly” ‘quotes’ § 9 ¶ 2 – — … € £ ¥ ü é ñ ß Ł ž × ≥ ≤ ™ ® ½ •"
    assert without_sign(said) == ""
    assert read(said, tmp_path).startswith(said)
    others = "Жук 漢字 🙂 → α ő"
    assert read(f"{others} end", tmp_path).startswith(f"{others} end")
    assert without_sign(f"{others} {others}") == "Жук漢字🙂→αő"
    assert read(said, tmp_path).startswith(said)  # nothing of the boxes is left in the font


def test_pages_are_numbered_the_font_is_embedded_and_the_bytes_are_stable() -> None:
    markdown = "# Title\n\n" + "\n\n".join(PROSE.format(n=n) * 3 for n in range(40))
    first = pdf_bytes(markdown, ())
    assert pdf_bytes("other", ()) != first
    assert pdf_bytes(markdown, ()) == first
    document = pypdfium2.PdfDocument(first)
    assert len(document) > 1
    for number in range(len(document)):
        text = document[number].get_textpage().get_text_range()
        assert text.rstrip().endswith(f"Page {number + 1}")
    assert b"/FontFile2" in first
    assert not re.search(rb"/CreationDate \(D:20(?!00)", first)
    assert document.get_metadata_value("Title") == "Title"


def test_the_tool_says_what_is_printed_as_a_box(tmp_path: Path) -> None:
    tools = ToolRegistry(Desk(roots=(tmp_path,)))
    made = tools.call("build_deliverable", {"path": "memo.pdf", "markdown": "# Memo\n\nThe name is 漢字."})
    assert made["words"] >= 5
    (said,) = made["problems"]
    assert "漢 (U+6F22), 字 (U+5B57)" in said
    assert tools.call("build_deliverable", {"path": "other.pdf", "markdown": "“Plain” § 1"})["problems"] == []
