"""A citation is verified when its place carries the statement, and not because the place exists."""

from __future__ import annotations

import pytest
from reconcile_fixtures import matter, run, state

from tasks.reconcile.citations import check_citations
from tasks.reconcile.records import GateCheck
from tasks.reconcile.support.mentions import find_forms, forms_of, laws_in
from tasks.reconcile.support.places import CitedText, numbers_of
from tasks.reconcile.support.statements import is_labels
from tasks.sources.records import CanonicalText, DocumentState, Entity, MatterState

LEASE = """LEASE

This Lease is made between Harbor Holdings LLC ("Landlord") and Cobalt Foods, Inc. ("Tenant").

1. Rent. Tenant shall pay Landlord base rent of $8,500 per month, and a deposit of $17,000 before the handover.

2. Assignment. Tenant shall not assign this Lease or sublet the Premises without the prior consent of Landlord.

3. Notice. Either party may end this Lease by notice given at least sixty (60) days before the end of a year. Landlord
may not enter the Premises before the handover.

4. Repairs. Landlord shall keep the roof and the outer walls in good repair and mend them without charge to Tenant.

5. Law. This Lease is governed by the laws of the State of Ohio, and the courts of Ohio have jurisdiction.

6. Default. If rent is unpaid for ten (10) days after it falls due, Tenant shall pay interest on the arrears.
"""
OTHER = """SUPPLY AGREEMENT

This Agreement is made between Vantage Mills Corp. ("Seller") and Cobalt Foods, Inc. ("Buyer").

1. Price. Buyer shall pay Seller a price of $40 per ton. This Agreement is governed by the laws of Delaware.
"""


def party(name: str, role: str) -> Entity:
    return Entity(name=name, kind="party", aliases=(role,))


def found(draft: str, **options) -> GateCheck:
    documents = (
        DocumentState(
            document="lease.txt", sha256="0", media="txt", title="Lease",
            parties=(party("Harbor Holdings LLC", "Landlord"), party("Cobalt Foods, Inc.", "Tenant")),
        ),
        DocumentState(
            document="supply.txt", sha256="0", media="txt", title="Supply Agreement",
            parties=(party("Vantage Mills Corp.", "Seller"), party("Cobalt Foods, Inc.", "Buyer")),
        ),
    )  # fmt: skip
    known = MatterState(matter_id="area/matter", documents=documents, coverage=state().coverage)
    room = options.pop("matter", matter("memo.md", documents=("lease.txt", "supply.txt")))
    return run(check_citations, draft, sources={"lease.txt": LEASE, "supply.txt": OTHER}, state=known, matter=room)


def kinds(draft: str, **options) -> list[str]:
    return [f.kind for f in found(draft, **options).findings]


CARRIED = [
    "The tenant must pay base rent of $8,500 per month to Landlord [Lease § 1].",
    "Tenant may not assign the Lease or sublet the Premises without Landlord's prior consent [Lease § 2].",
    "Landlord keeps the roof and the outer walls in repair, without limitation as to cost [Lease § 4].",
    "“This Lease is governed by the laws of the State of Ohio” [Lease § 5].",
    "Under [Lease § 5], Ohio law governs the Lease.",
    "Interest runs on arrears that are unpaid ten days after rent falls due [Lease §§ 1 and 6].",
    "The rent is fixed. The deposit is $17,000 [Lease § 1].",
    "Consent required [Lease § 2].",
    "The lease says much [Lease, para. 3].",
]


@pytest.mark.parametrize("draft", CARRIED)
def test_a_statement_that_its_place_carries_is_verified(draft: str) -> None:
    check = found(draft)
    assert check.findings == ()
    assert len(check.grounded) >= 1


@pytest.mark.parametrize(
    ("draft", "kind"),
    [
        ("Tenant may assign this Lease or sublet the Premises without the prior consent of Landlord [Lease § 2].",
         "opposite_polarity"),
        ("Tenant shall not assign this Lease or sublet the Premises with the prior consent of Landlord [Lease § 2].",
         "opposite_polarity"),
        ("Landlord shall not keep the roof and the outer walls in good repair [Lease § 4].", "opposite_polarity"),
        ("Either party may end this Lease by notice at least sixty days after the end of a year [Lease § 3].",
         "opposite_direction"),
        ("Landlord shall pay Tenant base rent of $8,500 per month [Lease § 1].", "wrong_party"),
        ("Vantage Mills shall keep the roof and the outer walls in good repair [Lease § 4].", "wrong_party"),
        ("This Lease is governed by the laws of the State of Texas [Lease § 5].", "wrong_law"),
        ("The law of Delaware governs [Lease § 5].", "wrong_law"),
        ("Tenant shall pay base rent of $8,500 per month [Lease § 9].", "missing_place"),
        ("Tenant shall pay base rent of $8,500 per month [Lease § 2(c)].", "missing_place"),
        ("Landlord keeps the roof and the outer walls in good repair [Lease § 2].", "unsupported_statement"),
        ("“Landlord shall keep the roof and the outer walls in good repair” [Lease § 2].", "unsupported_statement"),
        ("The deposit is $8,500, due before sixty days [Lease § 6].", "unsupported_statement"),
    ],
)  # fmt: skip
def test_what_the_place_does_not_carry_is_flagged(draft: str, kind: str) -> None:
    assert kinds(draft) == [kind]


ROWS = [
    ("Deposit | $17,000 | [Lease § 1]", "Deposit | $17,000 | [Lease § 4]", "unsupported_statement"),
    ("Governing law | Ohio | [Lease § 5]", "Governing law | Texas | [Lease § 5]", "wrong_law"),
    ("Anti-assignment | consent required [Lease § 2]", "Anti-assignment | consent required [Lease § 4]",
     "unsupported_statement"),
    ("- Assignment: consent required [Lease § 2].", "- Assignment: consent required [Lease § 6].",
     "unsupported_statement"),
    ("The deposit is $17,000 [Lease, para. 3].", "The deposit is $17,000 [Lease, para. 9].", "unsupported_statement"),
]  # fmt: skip


@pytest.mark.parametrize(("draft", "altered", "kind"), ROWS)
def test_a_row_a_label_and_a_paragraph_are_held_to_their_place(draft: str, altered: str, kind: str) -> None:
    assert kinds(draft) == []
    assert kinds(altered) == [kind]


def test_a_row_of_a_matrix_is_held_to_the_file_that_it_names() -> None:
    rows = "A2: lease.txt | B2: Harbor Holdings LLC; Cobalt Foods, Inc. | C2: Law | D2: Ohio"
    assert kinds(rows) == []
    assert kinds(rows.replace("Harbor Holdings LLC", "Vantage Mills Corp.")) == ["wrong_party"]
    assert kinds(rows.replace("D2: Ohio", "D2: Texas")) == ["wrong_law"]
    assert kinds(rows.replace("A2: lease.txt", "A2: lease.txt and supply.txt").replace("Harbor", "Vantage")) == []
    assert kinds("Topic | Supply Agreement (Vantage Mills Corp.) | lease.txt\nRent | $40 | –") == []


def test_margins_of_pages_and_passages_that_are_shown_carry_nothing() -> None:
    footer = "Source: Harbor, 10-K, 3/21/2019"
    paged = LEASE.replace("\n\n", f"\n\n{footer}\n\n", 3).replace("before the handover.", "before April 1, 2019.")
    read = CitedText(CanonicalText(document="a", sha256="0", extractor="t/1", media="txt", text=paged))
    assert [v.text for v in read.values_in(read.whole) if v.kind == "day"] == ["April 1, 2019"] * 2
    assert len([v for v in read.values if v.kind == "day"]) == 5
    assert kinds("Left open; nearest: [Lease § 2] [Lease § 4]") == []


def test_an_answer_beside_a_quotation_is_that_of_the_quotation() -> None:
    told = "$17,000. “base rent of $8,500 per month” [Lease § 1]"
    assert kinds(told) == ["unsupported_statement"]
    assert kinds(told.replace("$17,000", "$8,500")) == []


def test_labels_side_by_side_retell_no_sentence() -> None:
    assert kinds("Anti-assignment: at any time; on notice; without consent; in any form [Lease § 2].") == []
    assert is_labels("Yes: exclusive; royalty-free")
    assert not is_labels("Tenant shall not assign the Lease")


def test_what_is_counted_from_a_value_of_the_place_may_stand_elsewhere() -> None:
    assert kinds("It ends sixty days before the year's end, that is at a rent of $8,500 [Lease § 3].") == []
    assert kinds("The rent is $8,500 [Lease § 3].") == ["unsupported_statement"]


def test_a_list_of_answers_has_a_place_for_each() -> None:
    told = "Law: Ohio [Lease § 5]; Delaware [Supply Agreement § 1]."
    assert kinds(told) == []
    assert kinds(told.replace("Delaware", "Texas")) == ["wrong_law"]


def test_a_flagged_statement_is_not_counted_as_verified() -> None:
    check = found("This Lease is governed by the laws of the State of Texas [Lease § 5].")
    assert (check.checked, len(check.grounded)) == (1, 0)
    (finding,) = check.findings
    assert finding.grounding is not None
    assert LEASE[finding.grounding.start : finding.grounding.end].startswith("5. Law.")
    assert "Ohio" in finding.checked


def test_what_the_brief_names_may_be_named() -> None:
    draft = "Vantage Mills would have to keep the roof and the outer walls in repair under Texas law [Lease § 4]."
    brief = "Vantage Mills wants to take over the lease; it sits in Texas."
    room = matter("memo.md", documents=("lease.txt", "supply.txt"), instructions=brief)
    assert kinds(draft) != []
    assert kinds(draft, matter=room) == []


def test_a_quotation_may_hold_what_the_statement_around_it_does_not() -> None:
    draft = "The landlord's part: “Landlord shall keep the roof and the outer walls in good repair.” [Lease § 4]"
    assert kinds(draft) == []


def test_each_column_of_a_comparison_speaks_of_its_own_document() -> None:
    table = (
        "Topic | 1: Lease | 2: Supply Agreement\n"
        "law | governed by the laws of the State of Ohio [§ 5] | governed by the laws of Delaware [§ 1]\n"
    )
    assert kinds(table) == []
    swapped = table.replace("Ohio", "X").replace("Delaware", "Ohio").replace("X", "Delaware")
    assert kinds(swapped) == ["wrong_law", "wrong_law"]
    assert kinds(table.replace("[§ 1]", "[§ 8]")) == ["missing_place"]


@pytest.mark.parametrize(
    ("place", "numbers"),
    [
        ("§ 9.2(b), p. 14", ["9.2(b)"]), ("§§ 3, 4 and 5", ["3", "4", "5"]), ("Article IV", ["IV"]), ("p. 5", []),
        ("Section 2(a)(ii)", ["2(a)(ii)"]), ("para. 3", []), ("¶ 12", ["12"]),
    ],
)  # fmt: skip
def test_the_numbers_of_a_place(place: str, numbers: list[str]) -> None:
    assert numbers_of(place) == numbers


def test_a_number_that_is_only_referred_to_is_no_clause() -> None:
    text = "1. Rent. As in Section 7.4 of the Plan.\n\n2. Term. One year.\n\n3. Law. Ohio.\n"
    cited = CitedText(CanonicalText(document="a", sha256="0", extractor="t/1", media="txt", text=text))
    assert cited.missing("§ 2") == ""
    assert cited.missing("§ 7.4") == "section 7.4"
    assert CitedText(cited.canonical.model_copy(update={"text": "As in Section 7.4."})).missing("§ 7.4") == ""


def test_forms_of_a_party_and_law_districts() -> None:
    forms = forms_of(party("Cobalt Foods, Inc.", "Tenant"))
    assert {"Cobalt Foods, Inc.", "Cobalt Foods", "Cobalt", "Tenant"} <= set(forms)
    text = "COBALT FOODS pays; the tenant of another; Tenants"
    assert [text[a:b] for a, b in find_forms(text, forms)] == ["COBALT FOODS"]
    known = {"New York": "New York", "York": "York", "England": "England"}
    assert [law for _, _, law in laws_in("New\nYork, not New England", known)] == ["New York", "England"]


SHORT = """SUPPLY AND LICENCE TERMS

1. License Grant. Licensor grants Licensee a non-exclusive, royalty-free licence to use the Marks in the Territory.

2. Ending. Licensor may terminate this Agreement without cause upon one year's prior written notice to Licensee.

3. Transfer. Licensee shall not assign this Agreement without the prior written consent of Licensor.

4. Affiliates. No consent shall be required for an assignment of the Agreement to an affiliate.

5. Visits. Licensor may inspect the workshop. Licensee is not required to insure the goods.
"""
HEADED = """SUPPLY TERMS

Warranty

Licensor warrants that the goods are free from defects in material for twelve months from the day of delivery.

Notices

Notices are sent by registered mail to the address on the first page, and count from the day of receipt.
"""


def short(draft: str, text: str = SHORT) -> list[str]:
    room = matter("memo.md", documents=("terms.txt",))
    one = DocumentState(document="terms.txt", sha256="0", media="txt", title="Supply Terms")
    known = MatterState(matter_id="area/matter", documents=(one,), coverage=state().coverage)
    check = run(check_citations, draft, sources={"terms.txt": text}, state=known, matter=room)
    return [f.kind for f in check.findings if f.severity != "note"]


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("Termination for convenience: on notice; without cause [Terms § 2]", "on notice; with cause [Terms § 2]"),
        ("License grant: non-exclusive; royalty-free [Terms § 1]", "exclusive; royalty-free [Terms § 1]"),
        ("Restriction on assignment: consent required [Terms § 3]", "no consent required [Terms § 3]"),
        ("Restriction on assignment: no consent required [Terms § 4]", None),
        ("| May Licensee assign the Agreement? | No [Terms § 3] |", "| Yes [Terms § 3] |"),
        ("| May Licensor inspect the workshop? | Yes [Terms § 5] |", "| No [Terms § 5] |"),
        ("| Must Licensee insure the goods? | No [Terms § 5] |", "| Yes [Terms § 5] |"),
        ("# May Licensee assign the Agreement?\n\nNo [Terms § 3].", "Yes [Terms § 3]."),
        ("Licensor may inspect the workshop [Terms § 5].", "Licensor may not inspect the workshop [Terms § 5]."),
        ("Consent is not required [Terms § 4].", "Consent is not required [Terms § 3]."),
        ("Licensee need not insure the goods [Terms § 5].", None),
        ("License grant: exclusive; non-exclusive [Terms § 1]", None),
        (
            "Restriction on assignment: Licensee shall not assign this …  [Terms § 3]",
            "Licensee shall assign this … [Terms § 3]",
        ),
        (
            "# Termination for convenience\n\nYes: on notice; without cause [Terms § 2].",
            "Yes: on notice; with cause [Terms § 2].",
        ),
    ],
)
def test_a_short_answer_is_held_to_what_its_clause_lays_down(true: str, false: str | None) -> None:
    assert short(true) == []
    if false is not None:
        lead = true[: true.rfind("|", 0, true.rfind("["))] if true.startswith("|") else true.split(":")[0] + ": "
        lead = true.split("\n")[0] + "\n\n" if true.startswith("#") else lead
        assert short(false if "Consent" in true or "Licensor may" in true else lead + false) == ["opposite_polarity"]


def test_an_answer_of_labels_must_be_said_in_the_cited_clause() -> None:
    assert short("License grant: non-exclusive; royalty-free [Terms § 3]") == ["unsupported_statement"]


def test_a_clause_without_a_number_is_cited_by_its_heading() -> None:
    told = "Notices are {}sent by registered mail to the address on the first page [Supply Terms, Notices]."
    assert short(told.format(""), HEADED) == []
    assert short(told.format("not "), HEADED) == ["opposite_polarity"]
    cited = CitedText(CanonicalText(document="a", sha256="0", extractor="t/1", media="txt", text=HEADED))
    assert [HEADED[a:b].split()[0] for a, b, _ in cited.stretches("", "Terms, Warranty, p. 5")] == ["Warranty"]
    assert cited.stretches("", "Terms, Delivery") == []


def test_a_cell_that_is_a_place_says_where_in_its_file_a_row_stands() -> None:
    words = "Licensee shall not assign this Agreement without the prior written consent of Licensor."
    row = "| File | Clause | Quotation |\n|---|---|---|\n| terms.txt | § {} | “" + words + "” |"
    assert short(row.format(3)) == []
    assert short(row.format(4)) == ["unsupported_statement"]
    second = "“Licensor may inspect the workshop.” “" + words + "”"
    assert short(row.format(3).replace("“" + words + "”", second)) == []


def test_a_passage_that_is_shown_stands_where_it_is_cited() -> None:
    quote = "Licensor may terminate this Agreement without cause upon one year's prior written notice"
    words = f"Nearest: “{quote}” [Terms § {{}}]."
    assert short(words.format(2)) == []
    assert short(words.format(3)) == ["unsupported_statement"]
