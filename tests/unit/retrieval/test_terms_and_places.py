"""Where a defined term is defined and used, and what a reference says of the instrument it belongs to."""

from __future__ import annotations

import pytest

from tasks.retrieval.graph.references import find_references
from tasks.retrieval.graph.terms import Definition, TermBook, best_definitions, find_definitions
from tasks.sources.records import CanonicalText


def text(words: str) -> CanonicalText:
    return CanonicalText(document="d", sha256="0", extractor="t/1", media="txt", text=words)


# --- terms in use ---

BOOK = TermBook(
    ["Change of Control", "Control", "Business Day", "Company", "Permitted Liens", "Party", "Tax", "Lender's Counsel"]
)


@pytest.mark.parametrize(
    ("words", "used"),
    [
        ("a Change of Control occurs", [("Change of Control", "Change of Control")]),
        (
            "any Change of Control and Control itself",
            [("Change of Control", "Change of Control"), ("Control", "Control")],
        ),
        ("a CHANGE OF CONTROL occurs", [("Change of Control", "CHANGE OF CONTROL")]),
        ("a change of control occurs", []),
        ("on a Business Day", [("Business Day", "Business Day")]),
        ("ten Business Days later", [("Business Day", "Business Days")]),
        ("ten BUSINESS DAYS later", [("Business Day", "BUSINESS DAYS")]),
        ("Business as usual. Day by day", []),
        ("Business. Day", []),
        ("Business (Day)", []),
        ("Business\nDay", [("Business Day", "Business\nDay")]),
        ("a Permitted Lien", [("Permitted Liens", "Permitted Lien")]),
        ("the Company's books", [("Company", "Company's")]),
        ("the Company’s books", [("Company", "Company’s")]),
        ("the Companies", [("Company", "Companies")]),
        ("each Party", [("Party", "Party")]),
        ("all Taxes", [("Tax", "Taxes")]),
        ("Taxation", []),
        ("the Lender's Counsel", [("Lender's Counsel", "Lender's Counsel")]),
        ("", []),
        ("Change", []),
        ("Change of", []),
    ],
)
def test_terms_are_found_as_defined_in_the_plural_and_in_capitals(words, used):
    assert [(term, words[a:b]) for term, a, b in BOOK.find(words)] == used


def test_a_term_is_looked_for_within_the_stretch():
    words = "Party one. Party two. Party three."
    assert [a for _, a, _ in BOOK.find(words)] == [0, 11, 22]
    assert [a for _, a, _ in BOOK.find(words, 1)] == [11, 22]
    assert [a for _, a, _ in BOOK.find(words, 11, 16)] == [11]
    assert [a for _, a, _ in BOOK.find(words, 11, 15)] == []
    assert list(TermBook([]).find(words)) == []
    assert list(TermBook(["party"]).find(words)) == []  # a term begins with a capital


# --- terms defined ---


def defined(words: str) -> dict[str, tuple[str, bool]]:
    return {d.term: (words[d.start : d.end], d.pointer) for d in find_definitions(text(words))}


def test_a_definition_runs_to_the_end_of_its_paragraph():
    words = (
        "1. Definitions.\n\n“Affiliate” means any person that controls another.\n\n"
        "“Business Day” means a day other than: (a) a Saturday;\n\n(b) a Sunday; or\n\n(c) a holiday.\n\n2. Term."
    )
    found = defined(words)
    assert found["Affiliate"] == ("“Affiliate” means any person that controls another.", False)
    assert found["Business Day"][0].endswith("(c) a holiday.")
    assert "2. Term" not in found["Business Day"][0]


def test_a_definition_that_points_elsewhere_is_a_pointer():
    words = "“Closing” has the meaning set forth in Section 2.1. “Deposit” means the sum of $5.\n\nNothing."
    found = defined(words)
    assert found["Closing"] == ("“Closing” has the meaning set forth in Section 2.1.", True)
    assert found["Deposit"][1] is False


def test_a_term_in_brackets_is_defined_by_its_sentence():
    words = "It is late. The Buyer pays a fee of five dollars (the “Fee”). The Fee is due at once."
    assert defined(words)["Fee"] == ("The Buyer pays a fee of five dollars (the “Fee”).", False)


@pytest.mark.parametrize(("order", "chosen"), [("pd", "d"), ("dp", "d"), ("pp", "p"), ("dd", "d")])
def test_the_first_definition_that_says_something_is_the_best(order, chosen):
    found = [Definition("Fee", n, n, n + 1, pointer=kind == "p") for n, kind in enumerate(order)]
    best = best_definitions(found)["Fee"]
    assert best.at == order.index(chosen)


# --- references and their instrument ---


def placed(words: str) -> list[tuple[str, str, str]]:
    return [(r.said, r.place, r.instrument) for r in find_references(words)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        # this instrument
        ("Section 4.2 of this Agreement", [("Section 4.2", "this", "")]),
        ("Section 4.2 hereof", [("Section 4.2", "this", "")]),
        ("Exhibit B hereto", [("Exhibit B", "this", "")]),
        ("Section 4.2 above", [("Section 4.2", "", "")]),
        # another one
        ("Section 4.2 of the Lease", [("Section 4.2", "other", "Lease")]),
        ("Section 4.2 of the Master Supply Agreement", [("Section 4.2", "other", "Master Supply Agreement")]),
        ("Schedule 2 to the Credit Agreement", [("Schedule 2", "other", "Credit Agreement")]),
        ("Section 9 of the 2019 Plan", [("Section 9", "other", "2019 Plan")]),
        ("Section 4.2 of the Company", [("Section 4.2", "", "")]),  # a party is no instrument
        # the law
        ("Section 409A of the Code", [("Section 409A", "law", "")]),
        ("Section 5 of the Securities Act of 1933", [("Section 5", "law", "Securities Act of 1933")]),
        ("11 U.S.C. § 365(n)", [("Section 365(n)", "law", "")]),
        ("17 C.F.R. § 12.4", [("Section 12.4", "law", "")]),
        ("Section 365(n)", [("Section 365(n)", "law", "")]),  # a contract has no 365 sections
        ("Section 200", [("Section 200", "law", "")]),
        ("Section 199", [("Section 199", "", "")]),
        ("Section 12 et seq.", [("Section 12", "law", "")]),
        # a place at the end of an enumeration is that of all
        ("Section 1, Section 2 and Section 3 of the Lease", [(f"Section {n}", "other", "Lease") for n in "123"]),
        ("Sections 1 and 2 of the Lease", [("Section 1", "other", "Lease"), ("Section 2", "other", "Lease")]),
        ("Section 1 applies. Section 2 of the Lease", [("Section 1", "", ""), ("Section 2", "other", "Lease")]),
        ("Exhibit A and Section 2 of the Lease", [("Exhibit A", "", ""), ("Section 2", "other", "Lease")]),
        (
            "Section 1 of this Deed and Section 2 of the Lease",
            [("Section 1", "this", ""), ("Section 2", "other", "Lease")],
        ),
        # a provision within a provision
        ("clause (b) of Section 2.5", [("clause (b) of Section 2.5", "", ""), ("Section 2.5", "", "")]),
        (
            "clause (b) of Section 2.5 of the Lease",
            [("clause (b) of Section 2.5", "other", "Lease"), ("Section 2.5", "other", "Lease")],
        ),
        (
            "clause (i) of Section 409A of the Code",
            [("clause (i) of Section 409A", "law", ""), ("Section 409A", "law", "")],
        ),
    ],
)
def test_a_reference_says_where_it_belongs(words, expected):
    assert placed(words) == expected


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Sections 4.1 to 4.3", ["4.1", "4.2", "4.3"]),
        ("Sections 4.1 – 4.3", ["4.1", "4.2", "4.3"]),
        ("Sections 4 through 6", ["4", "5", "6"]),
        ("Sections 4.1 through 5.3", ["4.1", "5.3"]),  # what lies between is not known
        ("Sections 4.3 through 4.1", ["4.3", "4.1"]),
        ("Sections 4.1(a) through (d)", ["4.1(a)", "4.1(b)", "4.1(c)", "4.1(d)"]),
        ("Sections 4.1(a) and (c)", ["4.1(a)", "4.1(c)"]),
        ("Sections 4.1(a)(i) and (ii)", ["4.1(a)(i)", "4.1(a)(ii)"]),
        ("Sections 4.1(a), 4.1(b) and/or 4.2", ["4.1(a)", "4.1(b)", "4.2"]),
        ("Sections 4.1 & 4.2", ["4.1", "4.2"]),
        ("Section 4.1(a) and (1) all sums", ["4.1(a)"]),
        ("Section 4.1(a) and (B) all sums", ["4.1(a)"]),
        ("Articles IV through VI", ["4", "5", "6"]),
        ("Section XII.3", ["12.3"]),
        ("Section A", ["A"]),
        ("Section 2019-03", []),
        ("Section 12%", ["12"]),
    ],
)
def test_numbers_of_an_enumeration(words, said):
    found = [f"{r.number}{''.join(r.subs)}" for r in find_references(words)]
    assert sorted(found) == sorted(said)


@pytest.mark.parametrize(
    "words",
    ["clause (b) of Section 2.5 of the Lease", "Sections 4.1(a), (b) and 5, and Exhibit A hereto", "§§ 10, 11 and 12"],
)
def test_the_span_of_a_reference_holds_its_number(words):
    for ref in find_references(words):
        assert (ref.subs[-1] if ref.subs else ref.number).lower() in words[ref.start : ref.end].lower()
