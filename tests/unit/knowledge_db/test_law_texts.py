"""Held texts of law: verbatim, with their source and day, divided as the rules divide themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knowledge_db.law_texts import PACKAGED, LawText, load_law_texts, parts_of
from knowledge_db.load import KnowledgeError

SOURCE = Path(__file__).resolve().parents[3] / ".." / "shared" / "data" / "frcp" / "frcp_rules.json"
ROWS = load_law_texts()


def _paths(citation: str, subdivision: str) -> list[str]:
    return [
        part.path
        for row in ROWS
        if (row.citation, row.subdivision) == (citation, subdivision)
        for part in parts_of(row)
    ]


def test_every_row_says_where_it_comes_from_and_the_family_stays_small() -> None:
    assert len({row.citation for row in ROWS}) >= 90
    assert all(row.provenance and row.as_of and row.text for row in ROWS)
    assert sum(path.stat().st_size for path in (PACKAGED / "law_texts").iterdir()) < 1_000_000


def test_the_words_are_those_of_the_source() -> None:
    if not SOURCE.exists():
        pytest.skip("the shared data are not beside the project")
    source = {r["citation"]: "".join(r["text"].split()) for r in json.loads(SOURCE.read_text(encoding="utf-8"))}
    blanks = [row for row in ROWS if "".join(row.text.split()) not in source[row.citation]]
    assert [row.heading for row in blanks] == ["Notice of a lawsuit and request to waive service of summons; waiver"]


@pytest.mark.parametrize(
    ("citation", "subdivision", "paths"),
    [
        ("Fed. R. Civ. P. 12", "(b)", ["(b)", *(f"(b)({n})" for n in range(1, 8))]),
        ("Fed. R. Civ. P. 12", "(f)", ["(f)", "(f)(1)", "(f)(2)"]),
        (
            "Fed. R. Civ. P. 12",
            "(h)",
            ["(h)", "(h)(1)", "(h)(1)(A)", "(h)(1)(B)", "(h)(1)(B)(i)", "(h)(1)(B)(ii)", "(h)(2)"]
            + [f"(h)(2)({x})" for x in "ABC"]
            + ["(h)(3)"],
        ),
        ("Fed. R. Civ. P. 4", "(i)", ["(i)", "(i)(1)", "(i)(2)", "(i)(3)", "(i)(4)", "(i)(4)(A)", "(i)(4)(B)"]),
        ("Fed. R. Civ. P. 4", "(m)", ["(m)"]),
        ("Fed. R. Civ. P. 15", "(a)", ["(a)", "(a)(1)", "(a)(1)(A)", "(a)(1)(B)", "(a)(2)", "(a)(3)"]),
    ],
)
def test_subdivisions_are_those_of_the_rules(citation: str, subdivision: str, paths: list[str]) -> None:
    # Rule 15(a)(1)(B) cites "Rule 12(b), (e), or (f)", which opens no subdivision.
    found = _paths(citation, subdivision)
    assert [path for path in found if path in paths] == paths
    assert len(found) - len(paths) <= 4  # Rule 4(i) divides some of its items further


def test_a_candidate_folder_is_read_instead(tmp_path: Path) -> None:
    assert load_law_texts(tmp_path) == ()
    (tmp_path / "law_texts").mkdir()
    (tmp_path / "law_texts" / "a.csv").write_text("citation,text\nX 1,words\n")
    with pytest.raises(KnowledgeError, match=r"law_texts/a\.csv, row 1"):
        load_law_texts(tmp_path)


@pytest.mark.parametrize("text", ["", "(a)", "(1) " * 20_000, "(a) (1) (A) (i) " * 5_000, "(((", "(x) y. (b) z"])
def test_odd_texts_have_parts_too(text: str) -> None:
    row = LawText(citation="X 1", subdivision="(a)", text=text, provenance="p", as_of="2022")
    parts = list(parts_of(row))
    assert parts[0] == ("(a)", 0, len(text))
    assert all(0 <= part.start <= part.end <= len(text) for part in parts)
