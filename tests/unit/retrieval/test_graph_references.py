"""References in running text, taken apart; every sentence is our own."""

import pytest

from tasks.retrieval.graph.references import find_references

SAID = [
    ("as set out in Section 8.2(a).", ["Section 8.2(a)"]),
    ("under § 9.2(b)(ii) and §§ 10, 11", ["Section 9.2(b)(ii)", "Section 10", "Section 11"]),
    ("Sections 4.1(a), (b) and 5", ["Section 4.1(a)", "Section 4.1(b)", "Section 5"]),
    ("Sections 8.1 through 8.4", ["Section 8.1", "Section 8.2", "Section 8.3", "Section 8.4"]),
    ("Sections 7.1-7.3", ["Section 7.1", "Section 7.2", "Section 7.3"]),
    (
        "paragraphs (a) to (d) of this Section 2.2",
        [*(f"paragraph ({c}) of Section 2.2" for c in "abdc"), "Section 2.2"],
    ),
    ("clause (iii) above", ["clause (iii)"]),
    ("sub-clause (b)", ["subclause (b)"]),
    ("Article IV and Articles 5 and 6", ["Article 4", "Article 5", "Article 6"]),
    ("Section V.2 hereof", ["Section 5.2"]),
    ("Exhibit A, Schedule 1.16 and Annex B-1", ["Exhibit A", "Schedule 1.16", "Annex B-1"]),
    ("Exhibits A and B hereto", ["Exhibit A", "Exhibit B"]),
    ("Section 6.4 (Record Retention) and 6.5 (Costs)", ["Section 6.4", "Section 6.5"]),
    ("Section 4.1(a) and (ii) all other sums", ["Section 4.1(a)"]),  # (ii) is the next item of a list
    ("Schedule 1 and (b) the Notes", ["Schedule 1"]),
    ("clause (i); and (iii) all Claims", ["clause (i)"]),
    ("THIS SECTION 11, THE PRODUCTS", ["Section 11"]),
    ("clause 7.3 of this Deed", ["Clause 7.3"]),
    ("Section\n  3.2", ["Section 3.2"]),
    ("section 12 hereof", ["Section 12"]),
    ("the sections of this Agreement", []),
    ("an exhibit to the report", []),
    ("ADDENDUM TO THE LEASE", []),
    ("5-1401 of the General Obligations Law", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), SAID)
def test_what_is_said(text, expected):
    assert sorted(ref.said for ref in find_references(text)) == sorted(expected)


PLACES = [
    ("Section 5 of this Agreement", "this", ""),
    ("Section 15 hereof", "this", ""),
    ("Section 3.1 of the Distributor Agreement", "other", "Distributor Agreement"),
    ("Section 9 of that certain Loan and Security Agreement dated May 1, 2018", "other", "Loan and Security Agreement"),
    ("Section 6.9 of the Separation Agreement. To the extent", "other", "Separation Agreement"),
    ("Section 409A of the Code", "law", "Code"),
    ("Section 10(b) of the Securities Exchange Act of 1934", "law", "Securities Exchange Act of 1934"),
    ("SECTION 48 OF THE INTERNAL REVENUE CODE", "law", "INTERNAL REVENUE CODE"),
    ("11 U.S.C. Section 365(n)", "law", ""),
    ("Section 365(n)", "law", ""),
    ("Treasury Regulations Section 1.704", "law", ""),
    ("Section 101 et seq.", "law", ""),
    ("Section 7 shall apply to the Supply Agreement", "", ""),
]


@pytest.mark.parametrize(("text", "place", "instrument"), PLACES)
def test_what_is_said_of_the_place(text, place, instrument):
    found = find_references(text)[0]
    assert (found.place, found.instrument if found.place == "other" else instrument) == (place, instrument)


def test_a_place_named_last_holds_for_the_whole_enumeration():
    text = (
        "under Section 6.4 (Retention), Section 6.5 (Costs) and Section 6.10 of the Separation Agreement, and Section 2"
    )
    assert [ref.instrument for ref in find_references(text)] == ["Separation Agreement"] * 3 + [""]


def test_spans_hold_the_words():
    text = "Subject to Sections 4.1(a) and 4.2, the fee in Exhibit C is due."
    assert [text[r.start : r.end] for r in find_references(text)] == ["Sections 4.1(a)", "4.2", "Exhibit C"]


@pytest.mark.parametrize(
    "text",
    ["Section " * 20_000, "Section 1, " * 8_000, "(a)" * 30_000, "Section 1.1 through 1.999 " * 800, "§" * 50_000],
)
def test_hostile_text_takes_linear_time(text, no_hang):
    find_references(text)
