"""The citation gate: quotations word for word, documents by name and place, authorities."""

from __future__ import annotations

import pytest
from reconcile_fixtures import LEASE, SOURCES, SUPPLY, matter, pack, run, state

from tasks.harness import packaged
from tasks.legaltext.fold import FoldedText, fold
from tasks.reconcile.citations import check_citations
from tasks.reconcile.numbers.gate import check_numbers
from tasks.sources.records import CoverageEntry

CAP = "Liability shall not exceed $2,500,000 in the aggregate for each calendar year"


def _kinds(draft: str, **options):
    return [(f.kind, f.severity) for f in run(check_citations, draft, **options).findings]


@pytest.mark.parametrize(
    "draft",
    [
        f"“{CAP}.” [Acme Supply Agreement § 9.3]",
        f'"{CAP}" [{SUPPLY} § 9.3]',
        f"“{CAP.replace(' ', chr(10), 1)}”",
        "“Liability shall not exceed … for each calendar year”",
        "“[L]iability shall not exceed [the cap] in the aggregate”",
        "“a non-compete of two‑thirds of the area”",
        f"> {CAP}.\n> [{SUPPLY} § 9.3]",
        "“Review.”",
        "The “Effective Date” is a term.",
        "He said “three little words”.",
    ],
)
def test_verbatim_quotations_pass(draft):
    assert _kinds(draft) == []


def test_a_grounded_quotation_carries_its_span():
    check = run(check_citations, f"“{CAP}.” [Acme Supply Agreement § 9.3]")
    quotation = check.grounded[0]
    span = quotation.sources[0]
    assert SOURCES[span.document][span.start : span.end] == CAP


def test_fabricated_altered_and_misattributed_quotations():
    assert _kinds("“The Seller may terminate this wonderful agreement whenever it likes to do so.”") == [
        ("fabricated", "block")
    ]
    assert _kinds("“quick brown foxes jumping”") == [("misquoted", "flag")]
    altered = run(
        check_citations, "“Liability shall not exceed $2,700,000 in the aggregate for each fiscal year”"
    ).findings
    assert [(f.kind, f.severity) for f in altered] == [("misquoted", "flag")]
    assert altered[0].grounding is not None
    assert altered[0].grounding.document == SUPPLY
    moved = run(check_citations, f"“{CAP}” [Beta Lease § 4.1]").findings
    assert [(f.kind, f.severity) for f in moved] == [("misattributed", "flag")]
    assert moved[0].grounding is not None
    assert moved[0].grounding.document == SUPPLY


def test_the_brief_may_be_quoted():
    brief = matter("memo.md", instructions="Set out what is required to close the deal.")
    assert _kinds("The client asks to “set out what is required to close the deal”.", matter=brief) == []


@pytest.mark.parametrize(
    ("label", "kinds"),
    [
        ("Acme Supply Agreement § 9.2, p. 14", []),
        ("Supply Agreement, Section 9.3", []),
        (f"{LEASE} § 4.2", []),
        ("Beta Lease INSURANCE CLAUSE, p. 2", []),
        ("Gamma Deed § 2", [("unresolved_citation", "flag")]),
        ("Acme Supply Agreement § 77.1", [("missing_place", "flag")]),
        ("●", []),
        ("signature page follows", []),
    ],
)
def test_citations_resolve_to_documents_and_places(label, kinds):
    assert _kinds(f"As agreed [{label}].") == kinds


def test_authorities_are_known_or_flagged():
    draft = "See Smith v. Jones, 123 F.3d 456 (2d Cir. 1997)."
    assert _kinds(draft) == [("unresolved_citation", "flag")]
    known = pack(authorities=({"citation": "Smith v. Jones, 123 F.3d 456 (2d Cir. 1997)", "holding": "x"},))
    assert _kinds(draft, pack=known) == [("unchecked_law", "note")]
    assert _kinds(draft, sources={**SOURCES, "brief.txt": f"We rely on it. {draft}"}) == []


def test_law_of_the_catalogue_that_nobody_read_is_marked_in_every_draft_that_cites_it():
    base = packaged().knowledge
    rows = {w.authority: w.model_dump(mode="json") for w in base.windows if w.domain in ("privacy", "civil_procedure")}
    breach, answer = rows["N.Y. Gen. Bus. Law § 899-aa(2)"], rows["Fed. R. Civ. P. 12(a)(1)(A)(i)"]
    law = {a.citation: a.model_dump(mode="json") for a in base.authorities}
    known = pack(authorities=(law["N.Y. Gen. Bus. Law § 899-aa"], law["Fed. R. Civ. P. 12"]), windows=(breach, answer))
    draft = "Notice is due in 30 days, N.Y. Gen. Bus. Law § 899-aa(2). The answer is due in 21, Fed. R. Civ. P. 12(a)."
    found = run(check_citations, draft, pack=known)
    marks = [f for f in found.findings if f.kind == "unchecked_law"]
    assert [(f.severity, f.text) for f in marks] == [("note", "N.Y. Gen. Bus. Law § 899-aa(2)")] * 2
    assert marks[0].checked.startswith("N.Y. Gen. Bus. Law § 899-aa(2) (30 days): as of ")
    assert "not checked against any text" in marks[0].checked
    papers = {**SOURCES, "brief.txt": "We rely on N.Y. Gen. Bus. Law § 899-aa(2)."}
    cited = run(check_citations, draft, pack=known, sources=papers).findings
    assert [f.checked for f in cited if f.kind == "unchecked_law"] == [marks[0].checked]
    assert [f.kind for f in run(check_citations, "Rent is due.", pack=known).findings] == []
    assert found.checked == len(found.grounded) + len(found.findings) - len(marks)


def test_folding_maps_back_to_the_original():
    source = FoldedText("a", "The “Buyer” shall non-com-\npete; it's\u00a0FINE.")
    assert fold("the buyer SHALL noncompete") == "thebuyershallnoncompete"
    found = source.find(fold("noncompete its fine"))
    assert found is not None
    assert source.text[found[0] : found[1]] == "non-com-\npete; it's\u00a0FINE"
    assert source.find("absent") is None


@pytest.mark.slow
def test_hostile_drafts_end(no_hang):
    for hostile in ("“" * 5_000, '"' * 9_999, "[a § 1] " * 2_000, "> \n" * 3_000, "(" * 5_000, "“a b c d e” " * 500):
        run(check_citations, hostile)


def test_a_name_that_two_documents_share_speaks_of_both_and_of_no_third():
    names = ("01-acme-license-agreement.docx", "02-beta-license-agreement.docx", "03-gamma-lease.docx")
    fees = dict(zip(names, ("$5,000", "$7,000", "$9,000"), strict=True))
    sources = {name: f"AGREEMENT\n\n3.1 Fees. The fee is {fee} a year." for name, fee in fees.items()}
    entries = (CoverageEntry(document=n, status="read", characters=9) for n in names)
    given = {"sources": sources, "state": state(*entries), "matter": matter("memo.md", documents=names)}
    for fee, flagged in (("$5,000", []), ("$7,000", []), ("$9,000", ["wrong_entity"])):
        draft = f"It costs {fee} [License Agreement § 3.1]."
        assert run(check_citations, draft, **given).findings == ()
        assert [f.kind for f in run(check_numbers, draft, **given).findings] == flagged, fee
    other = "It costs $5,000 [Loan Agreement § 3.1]."
    assert [f.kind for f in run(check_citations, other, **given).findings] == ["unresolved_citation"]


def test_a_period_that_a_draft_took_from_the_catalogue_is_known_and_marked_whatever_the_matter_began_with():
    draft = "The petition is due in 10 days, 28 U.S.C. § 1453(c)(1)."
    (window,) = (w for w in packaged().knowledge.windows if w.authority == "28 U.S.C. § 1453(c)(1)")
    for known in (pack(), pack(windows=(window.model_dump(mode="json"),))):
        found = run(check_citations, draft, pack=known).findings
        assert [(f.severity, f.kind) for f in found] == [("note", "unchecked_law")] * len(found)
        assert any(f.checked.startswith("28 U.S.C. § 1453(c)(1) (10 days): as of ") for f in found)
    unknown = run(check_citations, "The petition is due in 10 days, 28 U.S.C. § 9453(c)(1).").findings
    assert [f.kind for f in unknown] == ["unresolved_citation"]
