"""Provisions that can be looked up: their names, their limits, and where their words stand."""

from __future__ import annotations

import pytest

from knowledge_db.law_texts import load_law_texts
from tasks.legaltext.fold import fold
from tasks.reconcile.law.library import LawShelf, normal_form, provisions_of, same_provision
from tasks.sources.records import CanonicalText

STATUTES = (
    "Selected provisions\n\n"
    "8 Del. C. § 141(b): A majority of the directors shall constitute a quorum.\n\n"
    "8 Del. C. § 145(a): A corporation may indemnify any person. See also 8 Del. C. § 102(b)(7) on exculpation.\n\n"
    "“8 Del. C. § 262(d)” Appraisal is demanded within 20 days."
)


def text(name: str, content: str) -> CanonicalText:
    return CanonicalText(document=name, sha256="0" * 64, extractor="t/1", media="txt", text=content)


@pytest.fixture(scope="module")
def shelf() -> LawShelf:
    return LawShelf({"law.txt": text("law.txt", STATUTES)}, load_law_texts())


def folded(*parts: str) -> list[str]:
    return [fold(part) for part in parts]


def named(shelf: LawShelf, citation: str) -> list[str]:
    return [p.citation for p in shelf.named(citation)]


def test_a_document_parts_at_the_citations_that_lead_a_line():
    found = [(p.citation, STATUTES[p.start : p.end]) for p in provisions_of("law.txt", STATUTES)]
    assert [c.removeprefix("Del. Code tit. 8, ") for c, _ in found] == ["§ 141(b)", "§ 145(a)", "§ 262(d)"]
    assert "quorum" in found[0][1]
    assert "indemnify" not in found[0][1]
    assert "§ 102(b)(7)" in found[1][1]  # cited within the text of another
    assert found[2][1].endswith("20 days.")


def test_a_document_named_by_a_citation_is_that_provision():
    (one,) = provisions_of("8_Del._C._§_141.txt", "A majority of the directors.")
    assert (one.citation, one.start, one.end) == ("Del. Code tit. 8, § 141", 0, 28)
    assert list(provisions_of("statutes.txt", "A majority of the directors.")) == []


@pytest.mark.parametrize(
    ("cited", "normal"),
    [
        ("Fed. R. Civ. P. 12(b)(6)", "Fed. R. Civ. P. 12(b)(6)"),
        ("FRCP 12(b)(6)", "Fed. R. Civ. P. 12(b)(6)"),
        ("8 Del. C. § 141(b)", "Del. Code tit. 8, § 141(b)"),
        ("8 Del. C. § 141 and 8 Del. C. § 145", ""),  # two are none
        ("Section 4.2 of the Lease", ""),
        ("", ""),
    ],
)
def test_the_normal_form_of_a_citation(cited, normal):
    assert normal_form(cited) == normal


@pytest.mark.parametrize(
    ("held", "cited", "same"),
    [
        ("Fed. R. Civ. P. 12", "Fed. R. Civ. P. 12", True),
        ("Fed. R. Civ. P. 12", "Fed. R. Civ. P. 12(b)(6)", True),
        ("Fed. R. Civ. P. 12(b)(6)", "Fed. R. Civ. P. 12", True),
        ("Fed. R. Civ. P. 12(b)(6)", "Fed. R. Civ. P. 12(b)", True),
        ("fed. r. civ. p.  12", "Fed. R. Civ. P. 12.", True),
        ("Fed. R. Civ. P. 12(b)", "Fed. R. Civ. P. 12(h)", False),
        ("Fed. R. Civ. P. 1", "Fed. R. Civ. P. 12", False),
        ("Fed. R. Civ. P. 12", "Fed. R. Civ. P. 1", False),
        ("Fed. R. Civ. P. 5", "Fed. R. Civ. P. 5.1", False),
        ("Fed. R. Civ. P. 12", "Fed. R. Evid. 12", False),
    ],
)
def test_provisions_that_contain_one_another(held, cited, same):
    assert same_provision(held, cited) is same
    assert same_provision(cited, held) is same


@pytest.mark.parametrize(
    ("citation", "found"),
    [
        ("Del. Code tit. 8, § 141(b)", ["Del. Code tit. 8, § 141(b)"]),
        ("DEL. CODE TIT. 8, § 141(b)", ["Del. Code tit. 8, § 141(b)"]),
        ("Del. Code tit. 8, § 141", ["Del. Code tit. 8, § 141(b)"]),  # its subdivision is all there is
        ("Del. Code tit. 8, § 145(a)(1)", ["Del. Code tit. 8, § 145(a)"]),  # what contains it
        ("Del. Code tit. 8, § 14", []),
        ("Del. Code tit. 8, § 102(b)(7)", []),
        ("Fed. R. Civ. P. 4(m)", ["Fed. R. Civ. P. 4(m)"]),
        ("Fed. R. Civ. P. 12(b)(6)(Q)", ["Fed. R. Civ. P. 12(b)(6)"]),
        ("Fed. R. Civ. P. 999", []),
        ("", []),
    ],
)
def test_provisions_by_name(shelf, citation, found):
    assert named(shelf, citation) == found


@pytest.mark.parametrize(
    ("citation", "said"),
    [
        ("Fed. R. Civ. P. 12(b)(6)", ""),
        ("Fed. R. Civ. P. 12", ""),
        ("Fed. R. Civ. P. 99", "There is no Fed. R. Civ. P. 99 in the text of"),
        ("Fed. R. Civ. P. 12(z)", "Fed. R. Civ. P. 12 has no subdivision (z) in the text of"),
        ("Fed. R. Civ. P. 12(B)", ""),  # an upper-case letter is no other subdivision
        ("Fed. R. Evid. 702", ""),  # of a body that is not held nothing is said
        ("Del. Code tit. 8, § 999", ""),
        ("no citation", ""),
    ],
)
def test_what_a_held_body_of_rules_does_not_have(shelf, citation, said):
    missing = shelf.missing(citation)
    assert missing.startswith(said)
    assert bool(missing) is bool(said)


def test_held_rules_are_documents_by_their_citations(shelf):
    assert "Fed. R. Civ. P. 12" in shelf.held
    assert "law.txt" not in shelf.held
    (rule,) = shelf.named("Fed. R. Civ. P. 12(b)(6)")
    words = shelf.texts[rule.document].text[rule.start : rule.end]
    assert "failure to state a claim" in words
    assert "lack of subject-matter jurisdiction" not in words
    assert rule.as_of
    (whole,) = shelf.named("Fed. R. Civ. P. 12")
    assert "lack of subject-matter jurisdiction" in shelf.texts[whole.document].text[whole.start : whole.end]


def test_words_are_found_within_their_provision_and_in_order(shelf):
    (own,) = shelf.named("Del. Code tit. 8, § 141(b)")
    (other,) = shelf.named("Del. Code tit. 8, § 145(a)")
    (span,) = shelf.within(own, folded("majority of the directors"))
    assert STATUTES[span.start : span.end] == "majority of the directors"
    assert shelf.within(other, folded("majority of the directors")) == ()
    assert len(shelf.within(own, folded("A majority", "a quorum"))) == 2
    assert shelf.within(own, folded("a quorum", "A majority")) == ()
    assert shelf.within(own, folded("A majority", "may indemnify")) == ()
    assert len(shelf.within(own, folded("A majority", "may indemnify"), overlapping=True)) == 2
    assert shelf.within(own, folded("may indemnify"), overlapping=True) == ()


def test_words_found_elsewhere_name_the_innermost_provision(shelf):
    found = shelf.elsewhere(folded("may indemnify any person"), "law.txt")
    assert found is not None
    assert found[0] == "Del. Code tit. 8, § 145(a)"
    found = shelf.elsewhere(folded("Selected provisions"), "law.txt")
    assert found is not None
    assert found[0] == "law.txt"  # above the first of them
    found = shelf.elsewhere(folded("failure to state a claim upon which relief can be granted"), "law.txt")
    assert found is not None
    assert found[0] == "Fed. R. Civ. P. 12(b)(6)"
    assert shelf.elsewhere(folded("a unicorn shall constitute a quorum"), "law.txt") is None


def test_the_document_asked_for_goes_first():
    both = {name: text(name, "The same words stand here.") for name in ("a.txt", "b.txt")}
    shelf = LawShelf(both)
    for name in both:
        found = shelf.elsewhere(folded("same words"), name)
        assert found is not None
        assert found[1][0].document == name


def test_each_place_of_the_first_words_is_offered():
    shelf = LawShelf({"a.txt": text("a.txt", "one two. one three. one two.")})
    starts = [[s.start for s in spans] for spans in shelf.places("a.txt", folded("one", "two"))]
    assert starts == [[0, 4], [9, 24], [20, 24]]
    assert [s[0].start for s in shelf.places("a.txt", folded("one"), after=1)] == [9, 20]
    assert list(shelf.places("a.txt", folded("four"))) == []
