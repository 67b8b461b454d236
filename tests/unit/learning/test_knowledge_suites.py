"""The suites of the knowledge: the packaged rows pass them, and each kind of damage is named with its entry."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from flows.cli import main
from knowledge_db import PACKAGED
from tasks.learning.knowledge.evidence import read_citation, read_citations
from tasks.learning.knowledge.suites import check_knowledge
from warehouse.expectations.suites import expected_of, suite_names

SAID = {"provenance": "general legal knowledge; to be re-verified", "as_of": "2024"}
PRACTICE = {"provenance": "practice form"}


def write(folder: Path, family: str, rows: list[dict[str, object]], key: str = "row") -> None:
    """Write rows as TOML (JSON values of these kinds are TOML values)."""
    (folder / family).mkdir(parents=True, exist_ok=True)
    blocks = ["\n".join([f"[[{key}]]", *(f"{k} = {json.dumps(v)}" for k, v in row.items())]) for row in rows]
    (folder / family / "rows.toml").write_text("\n\n".join(blocks) + "\n")


def authority(citation: str, **fields: object) -> dict[str, object]:
    base = {
        "citation": citation,
        "kind": "statute",
        "jurisdiction": "US",
        "title": "Stay",
        "keywords": ["stay"],
        **SAID,
    }
    return {**base, **fields}


def window(window_id: str, **fields: object) -> dict[str, object]:
    base = {
        "window_id": window_id, "domain": "tax", "regime": "Refund", "trigger": "payment", "action": window_id, "n": 2,
        "unit": "year", "calendar_set": "us_federal", "authority": "26 U.S.C. § 6511(a)", "jurisdiction": "US",
        "counting": "irs", **SAID,
    }  # fmt: skip
    return {**base, **fields}


def cue(document_type: str, pattern: str, **fields: object) -> dict[str, object]:
    return {"document_type": document_type, "pattern": pattern, "where": "head", "retrieve": ["stay"], **fields}


def calendar(calendar_id: str, **fields: object) -> dict[str, object]:
    base = {"calendar_id": calendar_id, "name": "C", "jurisdiction": "US", "authority": "x", **SAID}
    return {**base, "aliases": [], "sources": [], **fields}


@pytest.fixture
def good(tmp_path) -> Path:
    """A small knowledge of one good row a family."""
    folder = tmp_path / "data"
    for family in ("provenance", "counting"):
        shutil.copytree(PACKAGED / family, folder / family)
    write(folder, "authorities", [authority("11 U.S.C. § 362"), authority("CISG art. 35", kind="treaty")])
    write(folder, "windows", [window("tax/refund")])
    write(folder, "calendars", [calendar("us_federal", sources=[]), calendar("weekends")])
    write(folder, "synonyms", [{"concept": "rent", "aliases": ["rental", "hire"]}])
    write(folder, "inference", [cue("lease", r"\blease\b")])
    provisions = [{"name": "term", "aliases": ["duration"], "strong": [r"\bterm\b"]}]
    write(folder, "provisions", provisions, "provision")
    memo = {"type_id": "memorandum", "name": "Memo", "filename": ["memo"], "provenance": "practice form"}
    (folder / "deliverables").mkdir()
    (folder / "deliverables" / "a.toml").write_text(
        "[[row]]\n"
        + "\n".join(f"{k} = {json.dumps(v)}" for k, v in memo.items())
        + '\nsections = [{ title = "Facts" }]\n'
    )
    return folder


DAMAGE = {
    "authorities": [
        authority("11 U.S.C. § 362"),
        authority("11 U.S.C. § 362."),
        authority("11 USC 362"),
        authority("what everybody knows"),
        authority("15 U.S.C. § 77k", keywords=["", "x"]),
        authority("15 U.S.C. § 77l", keywords=["sale", "Sale"], title=" "),
        authority("15 U.S.C. § 78a", jurisdiction="America"),
        authority("15 U.S.C. § 78b", as_of="2999"),
        authority("15 U.S.C. § 78c", as_of="lately"),
        authority("15 U.S.C. § 78d", as_of=""),
        authority("15 U.S.C. § 78e", provenance="a friend told me"),
        authority("15 U.S.C. § 78f", note="as in tax/opinion-001, ask jane@client.example"),
        *(authority(f"Gazette {n}") for n in range(3)),
    ],
    "windows": [
        window("tax/refund"),
        window("tax/refund", action="tax/refund"),
        window("appeals/odd"),
        window("tax/nowhere", calendar_set="narnia"),
        window("tax/never", n=0),
        window("tax/aeons", n=500),
        window("tax/uncounted", counting="custom"),
        window("tax/hearsay", authority="custom", action=" "),
        window("tax/first", aliases=["short_id"]),
        window("tax/second", aliases=["short_id"]),
    ],
    "synonyms": [
        {"concept": "rent", "aliases": ["rental", "Rental"]},
        {"concept": "Rent", "aliases": ["rent"]},
        {"concept": "fee", "aliases": ["x" * 90]},
    ],
    "inference": [
        cue("lease", r"\blease\b"),
        cue("lease", r"\blease\b"),
        cue("bomb", r"(a+)+$"),
        cue("all", "x*"),
        cue("orphan", r"\borphan\b", retrieve=["zzzz"]),
        cue("shouted", r"\bshout\b", area="Real Estate"),
    ],
    "questions": [
        {"use": "opener", "patterns": ["please", "please"]},
        {"use": "paper", "patterns": [r"(?:\w+\s?)+$"]},
    ],
    "provisions": [
        {"name": "term", "aliases": ["duration"], "strong": [r"(?:\w+\s?)+$"]},
        {"name": "duration", "strong": ["x y"]},
        {"name": "silent"},
        {"name": "non-compete", "means": "a party may not compete", "strong": [r"\brenew"]},
    ],
    "calendars": [
        calendar("us_federal", place="after", known=[2020, 2010]),
        calendar("weekends", doubt="why"),
        calendar("odd"),
    ],
}  # fmt: skip
TOLD = [
    "an authority is held once",
    "no two rows have one canonical citation",
    "a citation is read by our own scanner, or names",
    "law of the United States is read whole",
    "a jurisdiction is written like",
    "an authority has a title",
    "no keyword is empty",
    "no keyword is said twice",
    "a deadline regime is held once",
    "no two rows give one period twice",
    "the deadline tool computes every window",
    "the id of a window begins with its domain",
    "a window says what must be done",
    "a window rests on an authority",
    "the calendar of a window is held",
    "a short id names one window",
    "a period is longer than nothing",
    "the rule by which a window is counted is held",
    "a concept is held once",
    "a concept has an alias once",
    "an alias is another word",
    "terms of at most 80 characters",
    "a cue stands in one place once",
    "a cue compiles, asks for something, and is quick",
    "no retrieval trigger is an orphan",
    "a practice area is written like",
    "a cue of a brief compiles, asks for something, and is quick",
    "a cue of a brief stands once in its use",
    "a name or alias means one kind of provision",
    "a pattern compiles, asks for something, and is quick",
    "a kind of clause has cues",
    "the cues of a kind of clause know it by its own name",
    "a calendar that takes a place",
    "doubtful days have a reason",
    "the years whose holidays are settled are in order",
    "a calendar has holidays",
    "begins with a source of the fixed vocabulary",
    "as_of is a year or a day",
    "as_of lies between 1900 and today",
    "what is said of the law says as of when",
    "no row holds an address",
]


def test_a_cue_that_meets_every_sentence_is_told_where_there_are_sentences_to_try_it_on(good: Path) -> None:
    notes = [f"the duty {word} of the party that holds the thing in trust" for word in ("of care", "to account") * 60]
    rows = [authority(f"{n} U.S.C. § 1{n}", note=note) for n, note in enumerate(notes, start=1)]
    write(good, "authorities", rows)
    write(good, "provisions", [{"name": "the term", "strong": [r"\bterm\b"], "support": [r"\bthe\b"]}], "provision")
    assert check_knowledge(good, ["provisions"]).violations == ()
    write(good, "provisions", [{"name": "the term", "strong": [r"\bterm\b", r"\bthe\b"]}], "provision")
    assert [one.message for one in check_knowledge(good, ["provisions"]).violations] == [
        "no cue meets a quarter of all sentences about the law"
    ]


@pytest.mark.slow
def test_every_kind_of_damage_is_told_with_an_entry(good):
    assert check_knowledge(good, ["windows"]).violations == ()
    for family, rows in DAMAGE.items():
        write(good, family, rows, "provision" if family == "provisions" else "row")
    report = check_knowledge(good)
    lines = [violation.line() for violation in report.violations]
    assert [told for told in TOLD if not any(told in line for line in lines)] == []
    assert all(v.entries for v in report.violations if v.suite != "coverage")
    assert {v.message for v in report.violations if v.suite == "coverage"} >= {
        "authorities of 13 jurisdictions at least",
        "more than 2,300 entries, citation forms not counted",
    }


@pytest.mark.slow
def test_the_packaged_knowledge_passes():
    report = check_knowledge(PACKAGED)
    assert [violation.line() for violation in report.violations] == []
    assert report.passed
    assert report.total > 2300
    assert report.expectations == sum(len(expected_of(name, "knowledge")) for name in suite_names("knowledge")) >= 70
    assert report.forms["read"] / sum(report.forms.values()) > 0.8


def test_a_row_that_breaks_its_schema_is_an_error_and_not_a_pass(good):
    (good / "synonyms" / "rows.toml").write_text('[[row]]\nconcept = "x"\n')
    report = check_knowledge(good)
    assert "synonyms/rows.toml, row 1: aliases" in report.error
    assert not report.passed


def test_the_command_says_what_fails_and_how_to_ask(good, tmp_path, capsys):
    (good / "windows" / "rows.toml").write_text("[[row]]\n")
    assert main(["knowledge", "check", "--folder", str(good)]) == 1
    assert "windows/rows.toml, row 1" in capsys.readouterr().out
    assert main(["knowledge", "check", "--folder", str(good), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["passed"], told["violations"]) == (False, [])
    assert main(["knowledge", "check", "--folder", str(tmp_path / "none")]) == 2
    assert "no folder of knowledge data" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["knowledge", "--help"])
    assert "solon knowledge check" in capsys.readouterr().out


READINGS = [
    ("11 U.S.C. § 362", "statute", "read", "11 U.S.C. § 362"),
    ("17 C.F.R. § 240.10b-5", "regulation", "read", "17 C.F.R. § 240.10b-5"),
    ("Basic Inc. v. Levinson, 485 U.S. 224 (1988)", "case", "read", "485 U.S. 224"),
    ("Regulation (EU) 596/2014 art. 17", "statute", None, None),
    ("Gazette of Ruritania art. 35", "treaty", "by_name", ""),
    ("Art. 41 RUR", "statute", "by_name", ""),
    ("what everybody knows", "statute", "unread", ""),
    ("", "statute", "unread", ""),
    ("see 11 U.S.C. § 362 and 15 U.S.C. § 77k", "statute", "several", "11 U.S.C. § 362"),
    ("Acme Ltd's lease of 11 U.S.C. § 362 things", "statute", "unread", ""),
]


@pytest.mark.parametrize(("citation", "kind", "form", "canonical"), READINGS)
def test_how_a_citation_is_read(citation, kind, form, canonical):
    reading = read_citation(citation, kind)
    if form is None:
        assert reading["form"] in {"read", "partly"}
        return
    assert (reading["form"], reading["canonical"]) == (form, canonical)
    assert reading["agrees"] is (form == "read")


def test_many_citations_are_read_as_each_alone():
    cited = [(citation, kind) for citation, kind, *_ in READINGS] * 11  # more than a block
    assert read_citations(cited) == [read_citation(citation, kind) for citation, kind in cited]
    assert read_citations([]) == []
