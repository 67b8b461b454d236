"""The outline of deliverables as our own builder writes and our own reader reads them."""

import json

import pytest

from tasks.judging.anchors.judge import AnchorJudge
from tasks.judging.anchors.locate import locate
from tasks.judging.anchors.names import ContractNames, RubricTopics, content_words
from tasks.judging.anchors.outline import outline
from tasks.legaltext.names import name_words
from tasks.release.build.deliverable import build_deliverable
from tasks.release.tables import Column, Table
from tasks.sources.texts import read_file

MEMO = """# Memorandum

## Table of answers

| Document | Topic | Answer | Clause |
|---|---|---|---|
| 01-acme-license.pdf | Governing law | New York | § 9 |
| | Cap on liability | Not found | |

## Findings

### Acme License (01-acme-license.pdf)

#### Agreement date

June 16, 2004.

- **Renewal term:** one (1) year

### 02-beta-supply.docx

#### Governing law

Delaware.
"""


def test_a_built_memo_keeps_levels_rows_and_blank_cells(tmp_path, kit):
    path = tmp_path / "memo.docx"
    build_deliverable(MEMO, None, path)
    text = read_file(path)
    blocks = outline(text)
    assert [(b.text, b.level) for b in blocks if b.kind == "heading"][:4] == [
        ("Memorandum", 1),
        ("Table of answers", 2),
        ("Findings", 2),
        ("Acme License (01-acme-license.pdf)", 3),
    ]
    rows = [b.cells for b in blocks if b.kind == "row"]
    assert rows[2][:3] == ("", "Cap on liability", "Not found")
    cases = [
        ("value", "New York", kit.ACME, ("governing law",), "pass"),
        ("absence", "x", kit.ACME, ("cap on liability",), "pass"),
        ("date", "2004-06-16", kit.ACME, ("agreement date",), "pass"),
        ("value", "1 year", kit.ACME, ("renewal term",), "pass"),
        ("value", "Delaware", kit.BETA, ("governing law",), "pass"),
        ("value", "Delaware", kit.ACME, ("governing law",), "fail"),
        ("absence", "x", kit.BETA, ("cap on liability",), "fail"),
    ]
    criteria = [kit.criterion(k, g, s, f, f"C-{i}") for i, (k, g, s, f, _) in enumerate(cases)]
    judge = AnchorJudge.prepare(kit.rubric(*criteria), [kit.ACME[0], kit.BETA[0]], {"memo.docx": text})
    assert [judge.judge(c).status for c in criteria] == [expected for *_, expected in cases]


def test_a_built_workbook_is_read_by_its_columns(tmp_path, kit):
    path = tmp_path / "matrix.xlsx"
    columns = tuple(Column(name=n) for n in ("Document", "Topic", "Answer", "Quotation"))
    rows = (("01-acme-license.pdf", "Governing law", None, "“the laws of New York”"),)
    build_deliverable(None, [Table(name="Matrix", columns=columns, rows=rows)], path)
    text = read_file(path)
    (row,) = [b for b in outline(text) if b.kind == "row" and b.columns]
    assert row.columns == ("Document", "Topic", "Answer", "Quotation")
    assert row.cells == ("01-acme-license.pdf", "Governing law", "", "“the laws of New York”")
    subject = kit.criterion("value", "New York")
    assert AnchorJudge.prepare(kit.rubric(subject), [], {"m.xlsx": text}).judge(subject).status == "pass"


def test_a_large_workbook_is_outlined_in_little_time(kit, no_hang):
    rows = [["Document", "Topic", "Answer"]] + [[f"doc{i}.pdf", "Governing law", "New York"] for i in range(5000)]
    text = kit.sheet(rows)
    assert len([b for b in outline(text) if b.kind == "row"]) == 5001


def test_a_cell_far_to_the_right_does_not_make_a_wide_row(kit):
    text = kit.sheet([["a", "b"]])
    far = text.model_copy(
        update={"segments": tuple(s.model_copy(update={"label": s.label.replace("B1", "XFD1")}) for s in text.segments)}
    )
    assert next(b for b in outline(far) if b.kind == "row").cells == ("a", "b")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Acme Inc.", {"a.pdf"}),
        ("ACME, INCORPORATED", {"a.pdf"}),
        ("Société Générale", {"b.pdf"}),
        ("Societe Generale SA", {"b.pdf"}),
        ("Reed & Sons", {"c.pdf"}),
        ("Reed and Sons Ltd", {"c.pdf"}),
        ("Acmeville", set()),
        ("the Company and the Party", set()),
        ("Acme and Reed & Sons", {"a.pdf", "c.pdf"}),
        ("", set()),
    ],
)
def test_names_are_matched_with_normalisation(text, named):
    names = ContractNames.build(
        {"a.pdf": ["Acme, Inc."], "b.pdf": ["SOCIÉTÉ GÉNÉRALE S.A."], "c.pdf": ["Reed & Sons Limited", "the Company"]}
    )
    assert names.documents(text) == named


def test_topics_need_all_their_words_and_the_longer_name_wins():
    topics = RubricTopics.build([("assignment",), ("IP ownership assignment",), ("non-compete",), ("rofr/rofo",)])
    assert topics.labelled(name_words("Assignment")) == {"assignment"}
    assert topics.labelled(name_words("Assignment of IP ownership")) == {"ip ownership assignment"}
    assert topics.labelled(name_words("Non-Competes")) == {"non compete"}
    assert topics.labelled(name_words("ROFO")) == {"rofr rofo"}
    assert topics.inline("There is no non-compete clause.") == {"non compete"}
    assert content_words("licences of the parties") == ["license", "party"]


def test_nothing_is_attributed_without_names():
    assert (
        locate(outline_of("# Law\nNew York"), ContractNames.build({}), RubricTopics.build([("law",)]), frozenset())
        == []
    )


def test_json_is_rows_under_their_keys_and_headings_above_the_rest():
    rows = [{"Document": "a.pdf", "Answer": 'the "Buyer"'}, {"Document": "b.pdf", "Note": None}]
    blocks = outline_of(
        json.dumps({"Title": "Memo", "Answers": rows, "Law": {"a.pdf": "Ohio"}, "Notes": ["x", 1]}, indent=1), "json"
    )
    assert [(b.kind, b.text) for b in blocks] == [
        ("paragraph", "Title: Memo"),
        ("heading", "Answers"),
        ("row", "Document | Answer | Note"),
        ("row", 'a.pdf | the "Buyer" | '),
        ("row", "b.pdf |  | "),
        ("heading", "Law"),
        ("paragraph", "a.pdf: Ohio"),
        ("heading", "Notes"),
        ("paragraph", "x"),
        ("paragraph", "1"),
    ]
    assert blocks[4].columns == ("Document", "Answer", "Note")
    assert [b.kind for b in outline_of('{"a": 1', "json")] == ["paragraph"]
    assert outline_of("[" * 100_000, "json")


def outline_of(markdown, media="md"):
    from tasks.sources.records import CanonicalText

    return outline(CanonicalText(document="m", sha256="0" * 64, extractor="t", media=media, text=markdown))


def test_what_stands_below_the_title_of_a_slide_is_text(tmp_path):
    build_deliverable("# Acme License\n\n## Governing law\n\nNew York law governs.\n", None, tmp_path / "a.pptx")
    kinds = {b.text: b.kind for b in outline(read_file(tmp_path / "a.pptx"))}
    assert kinds["New York law governs."] == "paragraph"
    assert [k for text, k in kinds.items() if "Governing law" in text] == ["heading"]
