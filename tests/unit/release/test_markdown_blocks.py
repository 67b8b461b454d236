"""Markdown as blocks and runs: what every writer of deliverables is given."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from email import message_from_bytes
from email.policy import default

import pytest

from tasks.release.build.markdown import Block, Run, blocks, markdown_tables, plain_lines, plain_runs
from tasks.release.build.plain import csv_bytes, eml_bytes, json_bytes, markdown_table, md_bytes, txt_bytes
from tasks.release.tables import Column, Table


def only(markdown: str) -> Block:
    (block,) = blocks(markdown)
    return block


def told(markdown: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in blocks(markdown)]


@pytest.mark.parametrize(
    ("markdown", "runs"),
    [
        ("a **b** c", (Run("a "), Run("b", bold=True), Run(" c"))),
        ("*a **b***", (Run("a ", italic=True), Run("b", bold=True, italic=True))),
        ("~~a~~ `b`", (Run("a", strike=True), Run(" "), Run("b", code=True))),
        ("a  \nb", (Run("a"), Run("", line_break=True), Run("b"))),
        ("a\nb", (Run("a"), Run(" "), Run("b"))),
        ("<b>a</b>", (Run("<b>a</b>"),)),  # HTML is text
        ("a\x00b", (Run("ab"),)),
        ("10 * 2 * 3 and $7_000_000", (Run("10 * 2 * 3 and $7_000_000"),)),
    ],
)
def test_styles_are_runs(markdown: str, runs: tuple[Run, ...]) -> None:
    assert tuple(run for run in only(markdown).runs if run.text or run.line_break) == runs


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("[the act](https://law.example/a)", "the act (https://law.example/a)"),
        ("<https://law.example/a>", "https://law.example/a"),
        ("[https://law.example/a](https://law.example/a)", "https://law.example/a"),
        ("[above](#top)", "above"),
        ("[nowhere]()", "nowhere"),
        ("[**bold** link](x.html) after", "bold link (x.html) after"),
    ],
)
def test_a_link_keeps_the_address_that_its_words_do_not_show(markdown: str, text: str) -> None:
    assert only(markdown).text == text


def test_headings_have_their_level_and_rules_no_words() -> None:
    found = blocks("# One\n\n###### Six\n\n---\n\nTwo\n===\n")
    assert [(b.kind, b.level, b.text) for b in found] == [
        ("heading", 1, "One"), ("heading", 6, "Six"), ("rule", 0, ""), ("heading", 1, "Two"),
    ]  # fmt: skip


def test_lists_have_depth_numbers_and_paragraphs_that_go_on() -> None:
    found = blocks("3. one\n4. two\n   - inner\n\n     more\n\nbetween\n\n1. again\n")
    assert [(b.kind, b.depth, b.list_id, b.start, b.continued, b.text) for b in found] == [
        ("item", 0, 1, 3, False, "one"),
        ("item", 0, 1, 3, False, "two"),
        ("item", 1, 0, 1, False, "inner"),
        ("item", 1, 0, 1, True, "more"),
        ("paragraph", 0, 0, 1, False, "between"),
        ("item", 0, 2, 1, False, "again"),
    ]


def test_quotations_end_where_they_end() -> None:
    found = blocks("> one\n> > two\n\n> - item\n\nafter\n\n> ```\n> code\n> ```\n")
    assert [(b.kind, b.quoted, b.text) for b in found] == [
        ("paragraph", True, "one"), ("paragraph", True, "two"), ("item", True, "item"), ("paragraph", False, "after"),
        ("code", True, "code"),
    ]  # fmt: skip


def test_code_keeps_its_lines() -> None:
    assert told("```python\na\n\n  b\n```\n") == [("code", "a\n\n  b")]
    assert told("    a\n    b\n") == [("code", "a\nb")]


TABLE = "## Rents\n\n| Lease | **Rent** |\n|---|---:|\n| A \\| B | `5` |\n| C |\n\ntext\n\n| X |\n|---|\n| y |\n"


def test_a_table_is_rows_of_runs_and_its_header_is_the_first() -> None:
    table = blocks(TABLE)[1]
    assert [[plain_runs(cell) for cell in row] for row in table.rows] == [["Lease", "Rent"], ["A | B", "5"], ["C", ""]]
    assert [run.bold for run in table.rows[0][1] if run.text] == [True]
    assert [run.code for run in table.rows[1][1] if run.text] == [True]


def test_tables_are_named_by_the_heading_above() -> None:
    first, second = markdown_tables(TABLE)
    assert (first.name, second.name) == ("Rents", "Rents")
    assert [c.name for c in first.columns] == ["Lease", "Rent"]
    assert {c.type for c in first.columns} == {"auto"}
    assert first.rows == (("A | B", "5"), ("C", ""))
    assert [t.name for t in markdown_tables("| X |\n|---|\n| y |\n\ntext\n\n| Z |\n|---|\n| y |")] == [
        "Table 1",
        "Table 2",
    ]
    assert markdown_tables("| X |\n\nno table") == []


def test_plain_lines_leave_tables_and_rules_out() -> None:
    assert plain_lines(f"{TABLE}\n---\n\nend  \nof it") == ["Rents", "text", "end", "of it"]


# -- text formats ------------------------------------------------------------------------------------------------------

COLUMNS = (Column(name="When", type="date"), Column(name="What"), Column(name="How much", type="number"))
LEDGER = Table(name="Ledger", columns=COLUMNS, rows=((date(2026, 1, 2), "a | b\nc", Decimal("1.50")), (None, "=1+1")))


def test_a_pipe_table_reads_back_as_itself() -> None:
    (again,) = markdown_tables(markdown_table(LEDGER))
    assert (again.name, [c.name for c in again.columns]) == ("Ledger", ["When", "What", "How much"])
    assert again.rows[0][1] == "a | b c"
    assert again.rows[1] == ("", "=1+1", "")  # a short row is filled up
    assert not markdown_table(LEDGER.model_copy(update={"name": ""})).startswith("#")


def test_text_stands_before_its_tables() -> None:
    assert md_bytes("Said.\n\n\n", [LEDGER]).decode().startswith("Said.\n\n### Ledger\n")
    assert md_bytes("  ", [LEDGER]).decode().startswith("### Ledger")
    assert txt_bytes("Said.", [LEDGER]).decode().split("\n")[2:5] == [
        "Ledger", "When\tWhat\tHow much", "2026-01-02\ta | b c\t1.50",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"), ("  =1+1", "'  =1+1"), ("@SUM(A1)", "'@SUM(A1)"), ("＝1", "'＝1"), ("-2+3", "'-2+3"),
        ("\t=1", "'\t=1"),
        ("\tnote", "'\tnote"), ("+cmd", "'+cmd"), ("-5", "-5"), ("+ $1,200.50", "+ $1,200.50"), ("-3.5%", "-3.5%"),
        ("a=1", "a=1"), ("", ""), ("-", "'-"),
    ],
)  # fmt: skip
def test_no_cell_of_a_csv_is_a_formula(cell: str, written: str) -> None:
    table = Table(name="", columns=(Column(name="x"), Column(name="y")), rows=(("a", cell),))
    assert csv_bytes("", [table]).decode() == f"x,y\r\na,{_quoted(written)}\r\n"


def _quoted(cell: str) -> str:
    return f'"{cell}"' if "," in cell else cell


def test_a_csv_without_tables_is_its_lines_and_two_tables_are_parted() -> None:
    assert csv_bytes("one\n\n=two", []).decode() == "one\r\n'=two\r\n"
    one = Table(name="", columns=(Column(name="x"),), rows=((1,),))
    assert csv_bytes("", [one, one]).decode() == "x\r\n1\r\n\r\nx\r\n1\r\n"


def test_json_keeps_kinds_of_values() -> None:
    rows = json.loads(json_bytes("", [LEDGER]))
    assert rows == [
        {"When": "2026-01-02", "What": "a | b\nc", "How much": 1.5}, {"When": None, "What": "=1+1", "How much": None},
    ]  # fmt: skip
    whole = json.loads(json_bytes("Said.", [LEDGER]))
    assert (whole["text"], whole["tables"][0]["name"]) == ("Said.", "Ledger")
    assert json.loads(json_bytes("", [LEDGER, LEDGER]))["text"] == ""
    three = Table(name="", columns=(Column(name="n"),), rows=((Decimal("3.0"),), (True,)))
    assert json_bytes("", [three]).decode().split() == ["[", "{", '"n":', "3", "},", "{", '"n":', "true", "}", "]"]


def test_a_mail_takes_its_subject_from_the_first_heading_on_one_line() -> None:
    mail = eml_bytes("## Notice:  of   default\n\nSaid.", []).decode()
    assert "Subject: Notice: of default\n" in mail
    assert "Subject: Draft\n" in eml_bytes("Said.", []).decode()
    long = message_from_bytes(eml_bytes(f"# {'x ' * 450}", []), policy=default)
    assert str(long["Subject"]) == "x " * 99 + "x "
