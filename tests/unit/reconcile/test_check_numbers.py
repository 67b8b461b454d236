"""The number gate: grounded, derived, and every way a figure can be off."""

from __future__ import annotations

import pytest
from reconcile_fixtures import LEASE, SOURCES, SUPPLY, matter, run, text

from tasks.harness import packaged
from tasks.reconcile.check import CheckJob
from tasks.reconcile.numbers.gate import check_numbers


def _grounded(draft: str, **options):
    check = run(check_numbers, draft, **options)
    assert check.findings == ()
    return check.grounded


def _finding(draft: str, **options):
    findings = run(check_numbers, draft, **options).findings
    assert len(findings) == 1, findings
    return findings[0]


@pytest.mark.parametrize(
    "draft",
    [
        "The deposit is $1,204,000.",
        "The deposit is US$1.204 million.",
        "The deposit is about $1.2 million.",
        "A deposit of $1.2 million is due.",
        "It is payable in 30 days.",
        "The term is two years.",
        "Interest runs at five percent.",
        "Interest runs at 500 bps.",
        "The margin is 2.5%.",
        "The cap is 2.5 million dollars.",
        "The ratio is 3.5x.",
        "The tenant employs 214 people.",
        "Insurance of EUR 750,000 is required.",
        "It covers two-thirds of the area, about 66.7% of it.",
        "It renews for one year at a time; fees fall due each 1 month.",
        "Amount | 1,204,000",
    ],
)
def test_figures_are_grounded_across_spellings(draft):
    grounded = _grounded(draft)
    assert grounded
    for one in grounded:
        assert one.sources
        for span in one.sources:
            assert SOURCES[span.document][span.start : span.end]


@pytest.mark.parametrize(
    ("draft", "derivation"),
    [
        ("Interest on the deposit of $1,204,000 at 5% is $60,200 a year.", "1204000 × 5% = 60200"),
        ("Rent of $8,500 a month for 36 months comes to $306,000.", "8500 × 36 = 306000"),
        ("Deposit of $1,204,000 and rent of $8,500: $1,212,500 together.", "1204000 + 8500 = 1212500"),
        ("The cap of $2,500,000 less the deposit of $1,204,000 leaves $1,296,000.", "2500000 - 1204000 = 1296000"),
        ("The deposit of $1,204,000 is 48.2% of the cap of $2,500,000.", "1204000 / 2500000 = 48.2"),
        ("24 months and 36 months make 60 months.", "24 + 36 = 60"),
    ],
)
def test_derived_figures_show_their_arithmetic(draft, derivation):
    grounded = _grounded(draft)
    assert derivation in [g.derivation for g in grounded]
    assert all(g.sources for g in grounded)


def test_totals_of_a_table_are_derived():
    rows = "Item | Amount\nDeposit | $1,204,000\nRent | $8,500\nCap | $2,500,000\nTotal | $3,712,500"
    grounded = _grounded(rows)
    assert grounded[-1].derivation == "1204000 + 8500 + 2500000 = 3712500"


def test_arithmetic_does_not_reach_beyond_the_paragraph():
    draft = "The deposit is $1,204,000.\n\nInterest at 5% applies.\n\nThe interest is $60,200."
    assert _finding(draft).kind in ("unsourced", "near_miss")


@pytest.mark.parametrize(
    ("draft", "kind", "shown"),
    [
        ("A penalty of $77,123 applies.", "unsourced", ""),
        ("The cap is $2,500.", "unit_mismatch", "$2,500,000"),
        ("The cap is €2,500,000.", "unit_mismatch", "$2,500,000"),
        ("The deposit is $1,240,000.", "near_miss", "$1,204,000"),
        ("The deposit is $1,205,000.", "near_miss", "$1,204,000"),
        ("Liability shall not exceed $2,600,000 in the aggregate for each calendar year.", "near_miss", "$2,500,000"),
        ("Buyer shall pay Seller a deposit of €1,204,000 within thirty", "unit_mismatch", "$1,204,000"),
        ("Tenant shall pay base rent of $8,500 per month for 24 months, with 214 employees", "near_miss", "36 months"),
    ],
)
def test_what_is_off_is_named(draft, kind, shown):
    finding = _finding(draft)
    assert finding.kind == kind
    assert finding.severity == "flag"
    assert finding.remedy
    assert shown in finding.checked
    if shown:
        assert finding.grounding is not None
        span = finding.grounding
        assert shown.strip("$€") in SOURCES[span.document][span.start - 2 : span.end + 2]


def test_a_value_that_stands_elsewhere_does_not_save_an_altered_sentence():
    altered = "The term is 36 months. The deposit bears interest at 5% per annum."
    finding = _finding(altered)
    assert (finding.kind, finding.text) == ("near_miss", "36 months")


def test_wrong_entity_by_citation_and_by_heading():
    by_citation = _finding(f"The lessee has 214 employees [{SUPPLY} § 9.2].")
    assert by_citation.kind == "wrong_entity"
    assert by_citation.grounding is not None
    assert by_citation.grounding.document == LEASE
    assert _finding("# Acme supply agreement\n\nRent is $8,500.").kind == "wrong_entity"
    assert _grounded("# Beta lease\n\nRent is $8,500.")
    assert _grounded("# Acme supply agreement\n\nRent is $8,500 [Beta Lease § 4.1].")


def test_pairs_that_disagree():
    finding = _finding("Pay within fifteen (30) days.")
    assert (finding.kind, finding.severity, finding.text) == ("pair_disagrees", "flag", "fifteen (30")
    own = run(check_numbers, "Notice takes sixty (45) days. Margin is 250 bps.").findings
    assert {(f.kind, f.severity) for f in own} == {("source_disagrees", "note")}


@pytest.mark.parametrize(
    "draft",
    [
        "3 agreements reviewed; 2 documents set aside.",
        f"The term is fixed [{SUPPLY} § 9.2, p. 77].",
        "# 12 employees\n\nText.",
        "See Section 14.7 and page 99, 31 December 2031.",
    ],
)
def test_the_draft_itself_is_no_claim(draft):
    assert run(check_numbers, draft).findings == ()


def test_a_large_negative_number_is_no_count_of_the_draft_s_own_parts():
    assert run(check_numbers, "| Adjustment | (312) |").findings == ()
    assert _finding("| Adjustment | (4,312) |").kind == "unsourced"


def test_figures_of_the_brief_are_given():
    brief = matter("memo.md", instructions="Our client pays $77,123 within 11 days.")
    check = run(check_numbers, "The client pays $77,123 within 11 days.", matter=brief)
    assert check.findings == ()
    assert len(check.grounded) == 2


def test_state_and_scan_give_the_same_result():
    drafts = "The deposit is $1,204,000 and the cap $2,400,000."
    first, second = run(check_numbers, drafts), run(check_numbers, drafts)
    assert first == second


@pytest.mark.slow
def test_large_drafts_against_large_sources_stay_fast(no_hang):
    body = "\n\n".join(
        f"{n}. The fee of ${n:,}.00 is due within {n % 90 + 1} days of notice {n}." for n in range(1, 1000)
    )
    check = run(check_numbers, body, sources={"big.txt": body})
    assert not [f for f in check.findings if f.kind != "pair_disagrees"]


@pytest.mark.slow
def test_hostile_drafts_end(no_hang):
    for hostile in ("1" * 20_000, "$1 | " * 4_000, "[" * 10_000, "“" * 10_000, "(1) " * 5_000, "five " * 4_000):
        run(check_numbers, hostile)
    assert (
        check_numbers(
            CheckJob(
                {}, {"a": text("a", "")}, matter(), run.__globals__["state"](), run.__globals__["pack"](), packaged()
            )
        ).checked
        == 0
    )


SHEET = (
    "A1: Selected figures ($ in thousands)\nA7: Total Debt | B7: 44,870\n"
    "A8: Unrestricted cash | B8: 3,725 | C8: 5,140\n"
)


@pytest.mark.parametrize(
    ("draft", "flagged"),
    [
        ("The sheet has “A8: Unrestricted cash | B8: 3,725 | C8: 5,140”.", []),
        ("Cash is 3,725,000.", []),
        ("Cash is 3,725.", ["3,725"]),
        ("The sheet has “A8: Unrestricted cash | B8: 3,752 | C8: 5,140”.", ["3,752"]),
    ],
    ids=["a row quoted as printed", "full figure", "printed figure outside a quotation", "an altered row"],
)
def test_a_sheet_in_thousands(draft, flagged):
    found = run(check_numbers, draft, sources={"fy.xlsx": SHEET}).findings
    assert [f.text for f in found if f.text in {"3,725", "3,752"}] == flagged


@pytest.mark.parametrize("pair", ["thirty (35", "forty (30", "forty (35"])
def test_a_repeated_passage_whose_pair_disagrees_is_one_finding(pair):
    draft = f"Buyer shall pay Seller a deposit of $1,204,000 within {pair}) days after the Effective Date."
    finding = _finding(draft)
    assert (finding.kind, finding.severity, finding.text) == ("pair_disagrees", "flag", pair)


def test_each_pair_that_disagrees_is_a_finding_of_its_own():
    draft = "Notice takes ninety (45) days. The price is $77,123. It is payable in thirty (35) days."
    found = [(f.kind, f.text) for f in run(check_numbers, draft).findings]
    assert found == [("pair_disagrees", "ninety (45"), ("unsourced", "$77,123"), ("pair_disagrees", "thirty (35")]


def test_an_amount_computed_from_the_rate_of_the_passage_shows_its_arithmetic():
    source = (
        "FEE\n\n1. Fee. Tenant shall pay to the Landlord a fee of 5% of the price on the Closing Date.\n\n"
        "2. The price is $2,500,000."
    )
    draft = "Tenant shall pay to the Landlord a fee of $125,000 (5% of the price of $2,500,000) on the Closing Date."
    grounded = _grounded(draft, sources={"fee.docx": source})
    assert [(g.text, g.derivation) for g in grounded] == [
        ("$125,000", "2500000 × 5% = 125000"), ("5%", ""), ("$2,500,000", ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("draft", "text", "kind", "shown"),
    [
        ("Buyer shall pay Seller a deposit of 12-04 within thirty", "12-04", "near_miss", "$1,204,000"),  # no figure
        ("Buyer shall pay Seller a deposit of $1,204,OOO within thirty", "$1,204", "unit_mismatch", "$1,204,000"),
        ("Tenant shall pay base rent of -$8,500 per month for 36 months", "-$8,500", "near_miss", "positive"),
        ("Rent is -$8,500.", "-$8,500", "near_miss", "positive"),
        ("Tenant shall pay base rent of $8,500 per month for 36 weeks, with", "36 weeks", "unit_mismatch", "36 months"),
        ("Tenant shall pay base rent of $8,500 per month for 24 weeks, with", "24 weeks", "near_miss", "36 months"),
        ("“Liability shall not exceed $2,600,000 in the aggregate” is the cap.", "$2,600,000", "near_miss", "$2,500"),
        ("“Liability is $2,600,000” is the cap.", "$2,600,000", "near_miss", "$2,500,000"),
        ("Margin is 250%.", "250%", "unit_mismatch", "250 bps"),
        ("A charge of $5 is due.", "$5", "unsourced", "none gives it"),  # one digit tells no unit from another
    ],
)
def test_an_altered_figure_is_found_once_and_shown_beside_its_source(draft, text, kind, shown):
    finding = _finding(draft)
    assert (finding.text, finding.kind) == (text, kind)
    assert shown in finding.checked


@pytest.mark.parametrize("draft", ["The loss was $(8,500).", "Rent fell by -$8,500."])
def test_a_loss_said_in_words_may_have_the_other_sign(draft):
    assert _grounded(draft)


def test_a_date_in_the_place_of_a_figure_is_left_to_the_date_gate():
    draft = "Buyer shall pay Seller a deposit of 2021-03-05 within thirty (30) days after the Effective Date."
    assert [g.text for g in _grounded(draft)] == ["thirty", "30"]
