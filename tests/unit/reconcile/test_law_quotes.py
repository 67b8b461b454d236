"""Quoted law against held law: four outcomes, and never a guess about what is not held."""

from __future__ import annotations

import csv
import random
import re
from pathlib import Path

import pytest

from tasks.reconcile.citations import check_citations
from tasks.reconcile.law.quotes import LawLibrary, normal_form, provisions_of, same_provision
from tasks.sources.extract import extract

DATA = Path(__file__).resolve().parents[3] / ".." / "shared" / "data"
RULES = """# Local rules of an invented court

42 U.S.C. § 9001. Every tenant shall keep the lamps lit from dusk until dawn, and shall answer for the oil.

42 U.S.C. § 9002. No lamp may be lit without a permit. A permit lasts two years.

Fed. R. Civ. P. 99 The court may, for good cause, extinguish any lamp that dazzles a witness.
See also 42 U.S.C. § 9001 on dusk.
"""
LETTER = "Dear Sir, we regret the darkness of the corridor since Monday last."


@pytest.fixture
def library() -> LawLibrary:
    texts = {n: extract(t.encode(), n) for n, t in {"rules.md": RULES, "letter.txt": LETTER}.items()}
    return LawLibrary(texts)


@pytest.mark.parametrize(
    ("citation", "quote", "outcome", "found_in"),
    [
        ("42 U.S.C. § 9001", "shall keep the lamps lit from dusk until dawn", "verified", "42 U.S.C. § 9001"),
        ("42 USC 9001", "shall keep the lamps lit", "verified", "42 U.S.C. § 9001"),
        ("42 U.S.C. § 9001(a)", "shall keep the lamps lit", "verified", "42 U.S.C. § 9001"),
        ("42 U.S.C. § 9001", "Every tenant … shall answer for the oil", "verified", "42 U.S.C. § 9001"),
        ("42 U.S.C. § 9001", "[E]very tenant [of a house] shall keep the lamps", "verified", "42 U.S.C. § 9001"),
        ("42 U.S.C. § 9001", "[e]very tenant shall keep the lamps lit", "verified", "42 U.S.C. § 9001"),
        ("42 U.S.C. § 9001", "shall answer for the oil … Every tenant", "not_found", ""),
        ("42 U.S.C. § 9001", "shall keep the lamps lit from dawn until dusk", "not_found", ""),
        ("42 U.S.C. § 9001", "A permit lasts two years.", "misattributed", "42 U.S.C. § 9002"),
        ("42 U.S.C. § 9002", "A permit lasts three years.", "not_found", ""),
        ("Fed. R. Civ. P. 99", "extinguish any lamp that dazzles a witness", "verified", "Fed. R. Civ. P. 99"),
        ("Fed. R. Civ. P. 99", "we regret the darkness of the corridor", "misattributed", "letter.txt"),
        ("42 U.S.C. § 9003", "a section that is not held at all here", "unresolved", ""),
        ("42 U.S.C. § 9003", "No lamp may be lit without a permit.", "misattributed", "42 U.S.C. § 9002"),
        ("the lamp statute", "No lamp may be lit without a permit.", "unresolved", ""),
        ("42 U.S.C. § 9001", "oil", "unresolved", ""),
        ("", "", "unresolved", ""),
    ],
)
def test_outcomes(library: LawLibrary, citation: str, quote: str, outcome: str, found_in: str) -> None:
    found = library.check(citation, quote)
    assert (found.outcome, found.found_in) == (outcome, found_in)
    assert found.checked
    assert bool(found.grounding) == (outcome in {"verified", "misattributed"})


def test_a_citation_in_running_text_opens_no_provision() -> None:
    heads = [p.citation for p in provisions_of("rules.md", RULES)]
    assert heads == ["42 U.S.C. § 9001", "42 U.S.C. § 9002", "Fed. R. Civ. P. 99"]


@pytest.mark.parametrize(
    ("held", "cited", "same"),
    [
        ("Fed. R. Civ. P. 12", "Fed. R. Civ. P. 12(b)", True),
        ("Fed. R. Civ. P. 12(b)", "Fed. R. Civ. P. 12", True),
        ("Fed. R. Civ. P. 1", "Fed. R. Civ. P. 12", False),
        ("42 U.S.C. § 1983", "42 U.S.C. § 1983a", False),
    ],
)
def test_same_provision(held: str, cited: str, same: bool) -> None:
    assert same_provision(held, cited) is same


def test_two_citations_are_none() -> None:
    assert normal_form("42 U.S.C. § 1 and 42 U.S.C. § 2") == ""


@pytest.fixture(scope="module")
def civil_rules() -> LawLibrary:
    path = DATA / "frcp" / "frcp_rules.json"
    if not path.exists():
        pytest.skip("the shared data are not beside the project")
    return LawLibrary({path.name: extract(path.read_bytes(), path.name)})


def test_the_federal_rules_sentence_by_sentence(civil_rules: LawLibrary) -> None:
    draw = random.Random(7)
    held = [p for p in civil_rules.provisions if p.citation.startswith("Fed. R. Civ. P.")]
    right = wrong_home = altered = n = 0
    for provision in held:
        source = civil_rules.texts[provision.document].text[provision.start : provision.end]
        sentences = [s for s in re.findall(r"[A-Z][^.\"\\]{60,300}\.", source) if s.count(" ") > 9]
        if not sentences:
            continue
        sentence, n = draw.choice(sentences), n + 1
        other = draw.choice([p for p in held if p.citation != provision.citation])
        words = sentence.split(" ")
        words[len(words) // 2] = "heliotrope"
        right += civil_rules.check(provision.citation, sentence).outcome == "verified"
        wrong_home += civil_rules.check(other.citation, sentence).outcome == "misattributed"
        altered += civil_rules.check(provision.citation, " ".join(words)).outcome == "not_found"
    assert n >= 70
    assert right == n
    assert altered == n
    assert wrong_home >= 0.98 * n


def test_labelled_statements_are_never_contradicted(civil_rules: LawLibrary) -> None:
    with (DATA / "citation_verification" / "dev.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    label = {"CITATION_UNRESOLVED": "unresolved"}
    told = [(r, o) for r in rows if (o := civil_rules.check(r["citation"], r["quote"]).outcome) != "unresolved"]
    assert len(told) >= 5
    assert [r for r, o in told if label.get(r["answer"], r["answer"].lower()) != o] == []


@pytest.mark.parametrize(
    ("draft", "kinds"),
    [
        ("The Code says “shall keep the lamps lit from dusk until dawn” (42 U.S.C. § 9001).", []),
        ("The Code says “No lamp may be lit without a permit” (42 U.S.C. § 9001).", ["misattributed"]),
        ("“No lamp may be lit without a permit.” 42 U.S.C. § 9002.", []),
        ("“No lamp may be lit without a permit.” See 42 U.S.C. § 9001.", ["misattributed"]),
        ("“No lamp may be lit without a permit” is the rule; compare 42 U.S.C. § 9001.", []),
        ("“we regret the darkness of the corridor” (letter); 42 U.S.C. § 9001 forbids it.", []),
    ],
)
def test_the_gate_sees_law_quoted_under_the_wrong_provision(draft: str, kinds: list[str]) -> None:
    from reconcile_fixtures import run

    sources = {"rules.md": RULES, "letter.txt": LETTER}
    found = run(check_citations, draft, sources=sources).findings
    assert [f.kind for f in found if f.kind != "unresolved_citation"] == kinds
