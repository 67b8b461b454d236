"""Sentences of a memo against a small data room: what each figure is grounded on, or why it is flagged.

Every row is a sentence as a lawyer writes it. ``grounded`` rows name the source words behind each figure; ``flagged``
rows name the figure, the kind of finding and the source words shown beside it.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reconcile_fixtures import matter, run

from tasks.reconcile.numbers.gate import check_numbers

LOAN = "01-harbor-loan-agreement.docx"
GUARANTY = "02-pike-guaranty.docx"
SHEET = "03-results.xlsx"
ROOM = {
    LOAN: (
        "LOAN AGREEMENT\n\n"
        "1.1 Advance. The Lender shall advance to the Borrower the principal sum of $3,450,000 on the Closing Date "
        "of this Agreement.\n\n"
        "1.2 Interest. The Advance bears interest at 7.25% per annum and overdue sums bear default interest at 11.75% "
        "per annum until they are paid in full.\n\n"
        "1.3 Maturity. The Advance matures 54 months after the Closing Date, and each extension runs for successive "
        "annual periods. Fees are due quarterly and reports monthly.\n\n"
        "2.1 Late Charge. A late charge of $1,875 is due on every instalment unpaid for nine (9) days.\n\n"
        "2.2 Cure. The Borrower may cure a default within thirty (35) days after notice from the Lender.\n\n"
        "2.3 Prepayment. The Borrower may prepay the Advance on 18 days' notice with a premium of 2%.\n\n"
        "2.4 Escrow. The tax escrow is $264,300 and the insurance escrow is $91,700.\n\n"
        "2.5 Margin. The swap margin is 325 bps and two-thirds of the swap is hedged.\n"
    ),
    GUARANTY: (
        "GUARANTY\n\n"
        "1. Guaranty. The liability of the Guarantor is capped at $1,725,000 for all claims of the Lender.\n\n"
        "2. Net Worth. The Guarantor shall maintain a net worth of not less than €6,900,000 at each year end.\n\n"
        "3. Notice. The Guarantor shall answer a demand within 21 days. The Guarantor employs 1,340 people.\n\n"
        "4. Coverage. The coverage ratio shall stay above 1.35 to 1.00.\n"
    ),
    SHEET: "Net income of the Guarantor for 2023 was $(412,500). Revenue was $8,115,000. Tax refund was $61,250.\n",
}


def memo(text: str, **options):
    return run(check_numbers, text, sources=options.pop("sources", ROOM), **options)


def behind(check) -> list[tuple[str, list[str]]]:
    """Each grounded figure with the words of the sources at its spans."""
    return [(g.text, [ROOM[s.document][s.start : s.end] for s in g.sources]) for g in check.grounded]


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        # the value, whatever its spelling
        ("The advance is $3,450,000.", [("$3,450,000", ["$3,450,000"])]),
        ("The advance is US$3.45 million.", [("US$3.45 million", ["$3,450,000"])]),
        ("The advance is 3.45 million dollars.", [("3.45 million dollars", ["$3,450,000"])]),
        ("Interest runs at 7.25 percent.", [("7.25 percent", ["7.25%"])]),
        ("Interest runs at 725 basis points.", [("725 basis points", ["7.25%"])]),
        ("The swap margin is 3.25%.", [("3.25%", ["325 bps"])]),
        ("It matures after four and a half years.", [("four and a half years", ["54 months"])]),
        ("The demand must be answered in three weeks.", [("three weeks", ["21 days"])]),
        ("Net worth must be EUR 6.9 million.", [("EUR 6.9 million", ["€6,900,000"])]),
        ("The coverage ratio is 1.35x.", [("1.35x", ["1.35 to 1.00"])]),
        ("There are 1,340 employees.", [("1,340 employees", ["1,340 people"])]),
        ("Two-thirds of the swap is hedged.", [("Two-thirds", ["two-thirds"])]),
        # periods that the source states as a word
        ("Each extension is for 1 year.", [("1 year", ["annual", "each year"])]),
        ("Each extension is for 12 months.", [("12 months", ["annual", "each year"])]),
        ("Fees fall due every three months.", [("three months", ["quarterly"])]),
        ("Reports are due each 1 month.", [("1 month", ["monthly"])]),
        # negative figures
        ("Net income was $(412,500).", [("$(412,500)", ["$(412,500)"])]),
        ("The guarantor made a loss of $412,500.", [("$412,500", ["$(412,500)"])]),
        ("Net income declined by $412,500.", [("$412,500", ["$(412,500)"])]),
        ("$412,500 was the deficit.", [("$412,500", ["$(412,500)"])]),
    ],
)
def test_a_figure_is_grounded_on_the_words_that_state_it(draft, expected):
    check = memo(draft)
    assert check.findings == ()
    assert behind(check) == expected


@pytest.mark.parametrize(
    ("draft", "derivation"),
    [
        ("The advance is about $3.4 million.", "3450000 ≈ 3400000"),
        ("The advance is approximately $3.5 million.", "3450000 ≈ 3500000"),
        ("Revenue was more than $8 million.", "8115000 ≈ 8000000"),
        ("The cap is nearly $1.75 million.", "1725000 ≈ 1750000"),
        ("The advance is $3.45 million.", ""),
        ("The advance is about $3,450,000.", ""),
    ],
)
def test_a_rounded_figure_shows_what_it_rounds(draft, derivation):
    check = memo(draft)
    assert check.findings == ()
    assert [g.derivation for g in check.grounded] == [derivation]


@pytest.mark.parametrize(
    ("draft", "text", "kind", "shown"),
    [
        # one digit, two digits swapped, a power of ten
        ("The advance is $3,460,000.", "$3,460,000", "near_miss", "$3,450,000"),
        ("The advance is $4,350,000.", "$4,350,000", "near_miss", "$3,450,000"),
        ("The late charge is $1,785.", "$1,785", "near_miss", "$1,875"),
        ("The late charge is $18,750.", "$18,750", "unit_mismatch", "$1,875"),
        ("Interest runs at 72.5%.", "72.5%", "unit_mismatch", "7.25%"),
        ("Interest runs at 7.26%.", "7.26%", "near_miss", "7.25%"),
        ("Interest runs at 2.75%.", "2.75%", "unsourced", "none gives it"),  # digits 1 and 3 changed places
        ("It matures after 45 months.", "45 months", "near_miss", "54 months"),
        ("It matures after 54 days.", "54 days", "unit_mismatch", "54 months"),
        ("It matures after 54 weeks.", "54 weeks", "unsourced", "none gives it"),
        # another currency, another scale
        ("The advance is €3,450,000.", "€3,450,000", "unit_mismatch", "$3,450,000"),
        ("Net worth must be $6,900,000.", "$6,900,000", "unit_mismatch", "€6,900,000"),
        ("The advance is $3,450.", "$3,450", "unit_mismatch", "$3,450,000"),
        ("The cap is $1,725,000,000.", "$1,725,000,000", "unit_mismatch", "$1,725,000"),
        ("The swap margin is 325%.", "325%", "unit_mismatch", "325 bps"),
        # nothing like it
        ("A penalty of $77,123 applies.", "$77,123", "unsourced", "every figure of 3 documents"),
        ("A penalty of 13.9% applies.", "13.9%", "unsourced", "none gives it"),
        ("An answer is due in 66 days.", "66 days", "unsourced", "none gives it"),
        ("The late charge is $1,8750.", "$1", "unsourced", "none gives it"),
        # rounding that goes too far, or without a word for it
        ("The advance is about $3.9 million.", "$3.9 million", "unsourced", "none gives it"),
        ("Revenue was more than $8,200,000.", "$8,200,000", "unsourced", "none gives it"),
        ("The cap is nearly $1,700,000.", "$1,700,000", "unsourced", "none gives it"),
        ("The advance is $3,400,000.", "$3,400,000", "near_miss", "$3,450,000"),
        ("The cap is not more than $1,700,000.", "$1,700,000", "unsourced", "none gives it"),
        # a sign that no source has
        ("Net income was $412,500.", "$412,500", "near_miss", "has it negative: “$(412,500)”"),
        ("The tax refund was $(61,250).", "$(61,250)", "near_miss", "has it positive: “$61,250”"),
        # words and digits that differ
        ("Pay within fourteen (9) days.", "fourteen (9", "pair_disagrees", "not the one in digits"),
    ],
)
def test_a_figure_that_is_off_is_shown_beside_its_source(draft, text, kind, shown):
    findings = memo(draft).findings
    assert [(f.text, f.kind) for f in findings] == [(text, kind)]
    assert shown in findings[0].checked
    assert findings[0].deliverable == "memo.md"
    assert findings[0].sentence == draft
    assert draft[findings[0].start : findings[0].end] == text


@pytest.mark.parametrize(
    ("draft", "text", "kind", "shown"),
    [
        ("advance to the Borrower the principal sum of $3,540,000 on the", "$3,540,000", "near_miss", "$3,450,000"),
        ("advance to the Borrower the principal sum of €3,450,000 on the", "€3,450,000", "unit_mismatch", "$3,450,000"),
        ("advance to the Borrower the principal sum of $1,725,000 on the", "$1,725,000", "near_miss", "$3,450,000"),
        ("The Advance bears interest at 11.75% per annum and overdue sums", "11.75%", "near_miss", "7.25%"),
        ("The Advance matures 54 weeks after the Closing Date, and each", "54 weeks", "unit_mismatch", "54 months"),
        ("The Advance matures 45 months after the Closing Date, and each", "45 months", "near_miss", "54 months"),
        ("is due on every instalment unpaid for nine (8) days", "nine (8", "pair_disagrees", "not the one in digits"),
        ("A late charge of $1,875 is due on every instalment unpaid for eight (8)", "eight", "near_miss", "nine (9)"),
        ("may prepay the Advance on 18 days' notice with a premium of 3%", "3%", "near_miss", "2%"),
        ("The tax escrow is $91,700 and the insurance escrow is $264,300", "$91,700", "near_miss", "$264,300"),
        ("Net income of the Guarantor for 2023 was $412,500.", "$412,500", "near_miss", "negative"),
    ],
)  # fmt: skip
def test_a_copied_sentence_with_another_figure_is_an_alteration(draft, text, kind, shown):
    findings = memo(f"The {draft}" if draft[0].islower() else draft).findings
    first = findings[0]
    assert (first.text.rstrip(")"), first.kind) == (text.rstrip(")"), kind)
    assert shown in first.checked
    if kind != "pair_disagrees":
        assert first.grounding is not None
        assert ROOM[first.grounding.document][first.grounding.start : first.grounding.end].rstrip(")")


@pytest.mark.parametrize(
    "draft",
    [
        "The Lender shall advance to the Borrower the principal sum of $3,450,000 on the Closing Date.",
        "The Advance bears interest at 7.25% per annum and overdue sums bear default interest at 11.75% per annum.",
        "A late charge of $1,875 is due on every instalment unpaid for nine (9) days.",
        "A late charge of $1,875 is due on every instalment unpaid for nine days.",
        "A late charge of $1,875 is due on every instalment unpaid for 9 days.",
        "The Borrower may prepay the Advance on 18 days' notice with a premium of 2%.",
        "The tax escrow is $264,300 and the insurance escrow is $91,700.",
        "The liability of the Guarantor is capped at $1,725,000 for all claims of the Lender.",
        "“The liability of the Guarantor is capped at $1,725,000 for all claims of the Lender.”",
        "THE LIABILITY OF THE GUARANTOR IS CAPPED AT $1,725,000 FOR ALL CLAIMS OF THE LENDER.",
    ],
)
def test_a_copied_sentence_is_grounded_on_its_own_place(draft):
    check = memo(draft)
    assert check.findings == ()
    assert check.grounded
    for one in check.grounded:
        assert one.derivation == ""
        assert len(one.sources) == 1


# --- words and figures of a source that differ ---


def test_a_pair_that_differs_in_the_source_is_a_note_where_it_is_repeated():
    check = memo("The Borrower may cure a default within thirty (35) days after notice from the Lender.")
    assert [(f.kind, f.severity, f.text) for f in check.findings] == [("source_disagrees", "note", "thirty (35")]
    check = memo("A default may be cured within thirty (35) days.")
    assert [f.kind for f in check.findings] == ["source_disagrees"]
    assert check.findings[0].grounding is not None


@pytest.mark.parametrize("side", ["30 days", "35 days", "thirty days"])
def test_one_side_of_such_a_pair_is_a_silent_choice(side):
    findings = memo(f"A default can be healed during {side}.").findings
    assert [(f.kind, f.text) for f in findings] == [("silent_choice", side)]
    assert "words and figures differ" in findings[0].checked
    assert "thirty (35) days" in findings[0].checked


@pytest.mark.parametrize(
    "said",
    [
        "the words and figures conflict",
        "there is a discrepancy",
        "the clause is ambiguous",
        "the two differ",
        "in words",
    ],
)
def test_a_choice_that_is_said_to_be_one_is_not_silent(said):
    check = memo(f"A default can be healed during 35 days, though {said}.")
    assert check.findings == ()
    assert [g.text for g in check.grounded] == ["35 days"]


# --- which document ---


def test_a_figure_cited_to_the_document_that_states_it_is_grounded_there():
    check = memo(f"The cap is $1,725,000 [{GUARANTY} § 1].")
    assert check.findings == ()
    assert {s.document for g in check.grounded for s in g.sources} == {GUARANTY}


@pytest.mark.parametrize(
    "draft",
    [
        f"The cap is $1,725,000 [{LOAN} § 1.1].",
        "# Harbor loan agreement\n\nThe cap is $1,725,000.",
        f"The cap is $1,725,000 ({LOAN} § 1.1) in all.",
        f"As said [{LOAN} § 1.1], the cap is $1,725,000.",
    ],
)
def test_a_figure_cited_to_another_document_is_of_the_wrong_one(draft):
    findings = memo(draft).findings
    assert [(f.kind, f.text) for f in findings] == [("wrong_entity", "$1,725,000")]
    assert findings[0].checked == f"{LOAN} does not state it; {GUARANTY} does."
    assert findings[0].grounding is not None
    assert findings[0].grounding.document == GUARANTY


def test_a_period_in_words_is_looked_for_in_the_cited_document_only():
    assert memo(f"It is extended for 1 year at a time [{LOAN} § 1.3].").findings == ()
    assert [f.text for f in memo(f"It is extended for 1 year at a time [{SHEET}, row 1].").findings] == ["1 year"]


def test_a_citation_without_a_document_of_the_room_binds_nothing():
    assert memo("The cap is $1,725,000 [Side Letter § 4].").findings == ()


def test_figures_of_the_brief_hold_whatever_is_cited():
    brief = matter("memo.md", documents=tuple(ROOM), instructions="Our client offers $77,123 for 66 days.")
    check = memo(f"The client offers $77,123 for 66 days [{LOAN} § 1.1].", matter=brief)
    assert check.findings == ()
    assert [(g.text, g.sources) for g in check.grounded] == [("$77,123", ()), ("66 days", ())]
    finding = memo("The client offers $77,213.", matter=brief).findings[0]
    assert (finding.kind, finding.grounding) == ("near_miss", None)
    assert "$77,123" in finding.checked


# --- what is said of the figure ---


@pytest.mark.parametrize(
    ("draft", "text", "kind", "shown"),
    [
        ("The insurance escrow amounts to $264,300.", "$264,300", "wrong_context", "$91,700"),
        ("The tax escrow amounts to $91,700.", "$91,700", "wrong_context", "$264,300"),
        ("Default interest on overdue sums is 7.25%.", "7.25%", "wrong_context", "11.75%"),
        ("The Guarantor is liable, capped at $3,450,000, for claims.", "$3,450,000", "wrong_entity", "$1,725,000"),
    ],
)  # fmt: skip
def test_a_value_of_another_thing_is_flagged_with_the_place_that_fits(draft, text, kind, shown):
    findings = memo(draft).findings
    assert [(f.text, f.kind) for f in findings] == [(text, kind)]
    assert findings[0].grounding is not None
    span = findings[0].grounding
    assert ROOM[span.document][span.start : span.end] == shown


@pytest.mark.parametrize(
    "draft",
    [
        "The insurance escrow amounts to $91,700.",
        "The tax escrow amounts to $264,300.",
        "Default interest on overdue sums is 11.75%.",
        "The tax escrow of $264,300 is higher than the insurance escrow of $91,700.",
        "| Insurance escrow | $264,300 | tax |",  # the words of a row of cells belong to several of them
    ],
)
def test_a_value_of_its_own_thing_is_not(draft):
    assert memo(draft).findings == ()


# --- what is no claim ---


@pytest.mark.parametrize(
    "draft",
    [
        "We read 3 documents and 14 clauses; 999 files were set aside.",
        "There are 5 issues, 2 questions and 17 findings.",
        "# 77 employees\n\nNothing more.",
        f"See the clause [{LOAN} § 2.7, p. 66].",
        "Option 3 is best; step 12 follows.",
        "",
    ],
)
def test_counts_of_the_draft_and_places_are_no_claims(draft):
    assert memo(draft).findings == ()


@pytest.mark.parametrize(
    ("draft", "text"), [("We read 1,001 documents.", "1,001 documents"), ("It has 77 rooms.", "77 rooms")]
)
def test_other_counts_are_claims(draft, text):
    assert [f.text for f in memo(draft).findings] == [text]


# --- quotations ---


def test_a_printed_figure_stands_inside_a_verbatim_quotation_only():
    sheet = {SHEET: "($ in thousands)\nTotal assets | 44,870 | 45,120\nCash and equivalents | 3,725 | 5,140\n"}
    quoted = memo("The sheet reads “Cash and equivalents | 3,725 | 5,140” for cash.", sources=sheet)
    assert quoted.findings == ()
    assert {s.document for g in quoted.grounded for s in g.sources} == {SHEET}
    assert [f.text for f in memo("Cash is $3,725 now.", sources=sheet).findings] == ["$3,725"]
    altered = memo("The sheet reads “Cash and equivalents | 3,752 | 5,140” for cash.", sources=sheet)
    assert [f.text for f in altered.findings] == ["3,752", "5,140"]


# --- laws that hold for every figure ---

AMOUNTS = st.integers(10_000, 99_999_999).filter(lambda n: n % 10)


def _contract(amount: int) -> dict[str, str]:
    return {
        "a-purchase-agreement.docx": (
            f"1. Price. The Buyer shall pay to the Seller a purchase price of ${amount:,} in cash at the Closing.\n\n"
            "2. Notice. A notice takes effect on receipt.\n"
        ),
        "b-side-letter.docx": "The parties confirm the agreement without any further sum.\n",
    }


@settings(max_examples=25, deadline=None)
@given(amount=AMOUNTS)
def test_a_figure_copied_from_a_source_is_grounded_in_any_spelling(amount):
    room = _contract(amount)
    for spelling in (f"${amount:,}", f"${amount}", f"USD {amount:,}", f"US${amount:,}.00", f"{amount:,} dollars"):
        check = run(check_numbers, f"The purchase price is {spelling} in all.", sources=room)
        assert check.findings == ()
        (span,) = check.grounded[0].sources
        assert room[span.document][span.start : span.end] == f"${amount:,}"


@settings(max_examples=40, deadline=None)
@given(amount=AMOUNTS, place=st.integers(0, 7), shift=st.integers(1, 9))
def test_altering_one_digit_of_a_grounded_figure_is_flagged(amount, place, shift):
    digits = list(str(amount))
    at = place % len(digits)
    digits[at] = str((int(digits[at]) + shift) % 10)
    altered = f"${int(''.join(digits)):,}"
    copied = f"The Buyer shall pay to the Seller a purchase price of {altered} in cash at the Closing."
    for draft in (f"The purchase price is {altered} in all.", copied):
        findings = run(check_numbers, draft, sources=_contract(amount)).findings
        assert [f.text for f in findings] == [altered]
        assert findings[0].kind in ("near_miss", "unit_mismatch", "unsourced")


@pytest.mark.parametrize(
    "draft",
    [
        "The cap is $1,725,000 and the advance $3,450,000; default interest is 11.75%.",
        "The cap is $1,752,000, the advance €3,450,000, the rate 7.52%.",
        f"The cap is $1,725,000 [{LOAN} § 1]. A cure takes 35 days. Net income was $412,500.",
        "The insurance escrow amounts to $264,300.",
        "It renews for 1 year. The loan and the cap make $5,175,000 together.",
    ],
)
def test_the_order_of_the_documents_does_not_matter(draft):
    forward = memo(draft)
    backward = memo(draft, sources=dict(reversed(ROOM.items())))
    assert [(f.text, f.kind) for f in forward.findings] == [(f.text, f.kind) for f in backward.findings]
    assert [(g.text, set(g.sources)) for g in forward.grounded] == [(g.text, set(g.sources)) for g in backward.grounded]


@pytest.mark.parametrize(
    "draft", ["The cap is $1,725,000.", "The cap is $1,752,000.", "A cure takes 35 days.", "Rate: 7.52%."]
)
def test_a_sentence_is_judged_alike_wherever_it_stands(draft):
    alone = [(f.text, f.kind) for f in memo(draft).findings]
    for around in (
        f"Text before.\n\n{draft}",
        f"{draft}\n\nText behind.",
        f"Text. {draft} Text.",
        f"- {draft}\n- Text",
    ):
        assert [(f.text, f.kind) for f in memo(around).findings] == alone
