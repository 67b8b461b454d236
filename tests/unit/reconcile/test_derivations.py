"""Arithmetic over the figures beside a figure: what explains it, what does not, and how it is written out."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reconcile_fixtures import run

from tasks.legaltext.numbers.scan import scan_numbers
from tasks.reconcile.derivations import cued, explain_by_arithmetic, plain_digits
from tasks.reconcile.numbers.gate import check_numbers
from tasks.reconcile.quantities import Quantity


def quantities(text: str) -> list[Quantity]:
    return [Quantity.of(f) for f in scan_numbers(text)]


def explained(target: str, given: str, slack: str = "0", said: bool = True) -> str | None:
    """How a figure follows from others, each said in words of its own."""
    (wanted,) = quantities(f"It is {target} here.")
    found = explain_by_arithmetic(wanted, quantities(given), Decimal(slack), said)
    return found[0] if found else None


@pytest.mark.parametrize(
    ("target", "given", "derivation"),
    [
        # sums, differences and means
        ("$150", "Fees of $100 and $50.", "100 + 50 = 150"),
        ("$50", "The price of $150 less $100.", "150 - 100 = 50"),
        ("$60", "Fees of $10, $20 and $30.", "10 + 20 + 30 = 60"),
        ("$50", "First $5, then $20 and $30.", "20 + 30 = 50"),
        ("$30", "Fees of $10, $15 and $45.", "45 - 15 = 30"),
        ("$25", "Fees of $11, $22 and $42.", "(11 + 22 + 42) / 3 = 25"),
        ("$45", "Each year $15, $15 and $15.", "15 + 15 + 15 = 45"),
        ("5 years", "A term of 3 years and one of 24 months.", "36 + 24 = 60"),
        ("45 days", "Notice of 30 days and a cure of 15 days.", "30 + 15 = 45"),
        ("15 days", "Notice of 45 days, not 30 days.", "45 - 30 = 15"),
        ("300 employees", "There are 214 employees here and 86 employees there.", "214 + 86 = 300"),
        # rates of amounts
        ("$15,000", "A price of $500,000 and 3%.", "500000 × 3% = 15000"),
        ("$515,000", "A price of $500,000 and 3%.", "500000 × (1 + 3%) = 515000"),
        ("$485,000", "A price of $500,000 and 3%.", "500000 × (1 - 3%) = 485000"),
        ("$7,500", "A price of $500,000 and 150 bps.", "500000 × 1.5% = 7500"),
        # multiples and periods
        ("$3,500,000", "EBITDA of $1,000,000 at 3.5x.", "1000000 × 3.5 = 3500000"),
        ("$306,000", "Rent of $8,500 for 36 months.", "8500 × 36 = 306000"),
        ("$8,500", "Rent of $306,000 for 36 months.", "306000 / 36 = 8500"),
        ("$1,050", "A fee of $35 for 30 days.", "35 × 30 = 1050"),
        ("$428,000", "A bonus of $2,000 for each of 214 employees.", "2000 × 214 = 428000"),
        # shares and changes
        ("25%", "A fee of $50 on $200.", "50 / 200 = 25"),
        ("20%", "Revenue of $80 after $100.", "(80 - 100) / 100 = -20"),
        ("-$30", "Costs of $45 and revenue of $15.", "15 - 45 = -30"),
        ("60%", "Revenue of $160 after $100.", "160 / 100 - x = 60"),
        ("62.5%", "Of 160 employees 100 employees left.", "100 / 160 = 62.5"),
        ("4.0x", "Debt of $400 and EBITDA of $100.", "400 / 100 = 4"),
        ("3%", "The margin of 5% less 2%.", "5 - 2 = 3"),
    ],
)
def test_a_figure_follows_from_those_beside_it(target, given, derivation):
    if "- x" in derivation:  # the change, not the share
        derivation = "(160 - 100) / 100 = 60"
    assert explained(target, given) == derivation


@pytest.mark.parametrize(
    ("target", "given"),
    [
        ("$151", "Fees of $100 and $50."),
        ("€150", "Fees of $100 and $50."),  # another currency
        ("$150", "A fee of $100 and 50 days."),
        ("$15,100", "A price of $500,000 and 3%."),
        ("$61", "Fees of $10, $20 and $30."),
        ("5 years", "A term of 3 years and one of 25 months."),
        ("45 days", "Notice of 30 days and a cure of 15 hours."),
        ("25.1%", "A fee of $50 on $200."),
        ("4.1x", "Debt of $400 and EBITDA of $100."),
        ("$8,600", "Rent of $306,000 for 36 months."),
        ("301 employees", "There are 214 employees here and 86 employees there."),
        ("$200", "A fee of $100."),  # nothing is added to itself
        ("100%", "A fee of $100."),
        ("$100", ""),
    ],
)
def test_a_figure_that_does_not_follow_has_no_derivation(target, given):
    assert explained(target, given) is None


@pytest.mark.parametrize(
    ("target", "given", "derivation"),
    [
        ("33.3%", "A fee of $50 on $150.", "50 / 150 = 33.3"),  # half of the last stated digit
        ("33.4%", "A fee of $50 on $150.", None),
        ("33%", "A fee of $50 on $150.", "50 / 150 = 33"),
        ("33.33%", "A fee of $50 on $150.", "50 / 150 = 33.33"),
        ("3.3x", "Debt of $1,000 and EBITDA of $300.", "1000 / 300 = 3.3"),
        ("3.4x", "Debt of $1,000 and EBITDA of $300.", None),
        ("$333.33", "A fee of $1,000 over 3 months.", "1000 / 3 = 333.33"),
        ("$333", "A fee of $1,000 over 3 months.", "1000 / 3 = 333"),
        ("$334", "A fee of $1,000 over 3 months.", None),
        ("$1.2 million", "Fees of $1,000,000 and $240,000.", "1000000 + 240000 = 1200000"),
        ("$1.2 million", "Fees of $1,000,000 and $260,000.", None),
        ("8 months", "A term of 3 months and one of 4 months.", None),  # time is exact
        ("7 months", "A term of 3 months and one of 4 months.", "3 + 4 = 7"),
    ],
)
def test_rounding_reaches_half_of_the_last_stated_digit(target, given, derivation):
    assert explained(target, given) == derivation


def test_rounding_that_the_draft_states_is_shown_as_such():
    assert explained("$150", "Fees of $100 and $53.", slack="5") == "100 + 53 ≈ 150"
    assert explained("$150", "Fees of $100 and $55.", slack="5") == "100 + 55 ≈ 150"
    assert explained("$150", "Fees of $100 and $56.", slack="5") is None
    assert explained("$150", "Fees of $100 and $50.", slack="5") == "100 + 50 = 150"


def test_small_figures_meet_by_chance_and_need_a_word_of_arithmetic():
    days = ("45 days", "Notice of 30 days and a cure of 15 days.")
    share = ("25%", "A fee of $50 on $200.")
    for target, beside in (days, share):
        assert explained(target, beside, said=True)
        assert explained(target, beside, said=False) is None
    assert explained("$150", "Fees of $100 and $50.", said=False) == "100 + 50 = 150"


@pytest.mark.parametrize(
    ("target", "given", "derivation"),
    [
        ("$5,000", "A loan of $200,000 at 10% for 90 days.", "200000 × 10% × 90/360 = 5000"),
        ("$4,931.51", "A loan of $200,000 at 10% for 90 days.", "200000 × 10% × 90/365 = 4931.51"),
        ("$10,000", "A loan of $200,000 at 10% for 6 months.", "200000 × 10% × 6/12 = 10000"),
        ("$40,000", "A loan of $200,000 at 10% for 2 years.", "200000 × 10% × 24/12 = 40000"),
        ("$4,900", "A loan of $200,000 at 10% for 90 days.", None),
        ("€5,000", "A loan of $200,000 at 10% for 90 days.", None),
        ("5,000 shares", "A loan of $200,000 at 10% for 90 days.", None),
    ],
)
def test_interest_for_a_time_is_an_amount_of_money(target, given, derivation):
    assert explained(target, given) == derivation


def test_the_terms_that_a_derivation_uses_are_returned_in_its_order():
    (target,) = quantities("It is $15,000 here.")
    found = explain_by_arithmetic(target, quantities("A term of 90 days, a price of $500,000 and 3%."))
    assert found is not None
    assert [q.figure.text for q in found[1]] == ["$500,000", "3%"]


def test_long_sums_are_shown_by_their_first_and_last_terms():
    amounts = ", ".join(f"${n}" for n in range(101, 111))
    assert explained("$1,055", f"Fees of {amounts}.") == "101 + 102 + 103 + 104 + 105 + 106 + 107 + … + 110 = 1055"
    amounts = ", ".join(f"${n}" for n in range(101, 109))
    assert explained("$836", f"Fees of {amounts}.") == "101 + 102 + 103 + 104 + 105 + 106 + 107 + 108 = 836"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("1000000", "1000000"),
        ("1E+6", "1000000"),
        ("2.50", "2.5"),
        ("0.0050", "0.005"),
        ("-8500.00", "-8500"),
        ("0", "0"),
    ],
)
def test_values_are_written_without_exponent_or_padding(value, shown):
    assert plain_digits(Decimal(value)) == shown


@pytest.mark.parametrize(
    "words",
    [
        "in total",
        "totalling",
        "together with",
        "the aggregate",
        "combined",
        "the sum of",
        "they differ by",
        "less the deposit",
        "minus",
        "plus",
        "net of",
        "the remainder",
        "the balance",
        "on average",
        "which makes",
        "comes to",
        "amounts to",
        "equals",
        "leaves",
        "represents",
        "implies",
        "that is",
        "i.e.",
        "a ratio",
        "of the price",
        "annualized",
        "annualised",
        "more than",
        "an increase",
        "a decrease",
        "growth",
        "rose by",
        "fell by",
        "pro rata",
        "pro-rata",
        "overall",
        "in all",
        "two weeks later",
        "earlier",
        "longer",
        "shorter",
        "a share of",
        "3 × 4",
        "a = b",
    ],
)
def test_words_of_arithmetic(words):
    assert cued(words)
    assert cued(words.upper())


@pytest.mark.parametrize(
    "words",
    [
        "within the time",
        "the Borrower shall pay",
        "Upton Ltd",
        "the Lessee",
        "the Lessor",
        "upon notice",
        "the upper floor",
        "a summary",
        "a shareholder",
        "the meaning of",
        "meanwhile",
        "the netting",
        "a changeover",
        "network fees",
        "Maker",
        "unless",
        "planet",
        "assumption",
    ],
)  # fmt: skip
def test_words_that_only_look_like_arithmetic(words):
    assert not cued(words)


MONEY = st.integers(1_000, 9_999_999)


@settings(max_examples=50, deadline=None)
@given(parts=st.lists(MONEY, min_size=2, max_size=6, unique=True), off=st.sampled_from([-1, 1]))
def test_every_sum_is_explained_in_any_order(parts, off):
    words = " and ".join(f"${n:,}" for n in parts)
    back = " and ".join(f"${n:,}" for n in reversed(parts))
    total = f"${sum(parts):,}"
    assert explained(total, words)
    assert explained(total, back)
    if len(parts) == 2:
        assert explained(f"${sum(parts) + off:,}", words) is None


@settings(max_examples=50, deadline=None)
@given(base=st.integers(1, 9_999), bps=st.integers(1, 5_000))
def test_an_amount_at_a_rate_is_explained(base, bps):
    rate = Decimal(bps) / 100
    amount = base * 10_000 * rate / 100
    assert explained(f"${amount:,.2f}", f"A price of ${base * 10_000:,} and {rate}%.")
    assert explained(f"${amount + 1:,.2f}", f"A price of ${base * 10_000:,} and {rate}%.") in (None,) or amount == 0


# --- in a draft: the table, the paragraph, the year ---

ROOM = {
    "01-credit-agreement.docx": (
        "CREDIT AGREEMENT\n\n1.1 Term Loan. The Lenders shall make a term loan of $40,000,000 to the Borrower.\n\n"
        "1.2 Revolver. The Lenders shall make revolving loans of up to $15,000,000 at any time.\n\n"
        "1.3 Swingline. The swingline sublimit is $5,000,000.\n\n2.1 Fees. The upfront fee is 1.5% of each loan.\n\n"
        "2.2 Agency. An agency fee of $6,250 is payable monthly and a monitoring fee of $21,000 each quarter.\n\n"
        "2.3 Audit. The audit fee is $33,000. Rent of $8,500 is due every month.\n"
    )
}


def draft(text: str):
    return run(check_numbers, text, sources=ROOM)


@pytest.mark.parametrize(
    ("memo", "derivation"),
    [
        ("The agency fee comes to $75,000 a year.", "6250 × 12 = 75000"),
        ("The agency fee is $75,000 per annum.", "6250 × 12 = 75000"),
        ("The monitoring fee is $84,000 annually.", "21000 × 4 = 84000"),
        ("The agency fee is $18,750 a quarter.", "6250 × 3 = 18750"),
        ("An upfront fee of $600,000 (1.5% of the term loan) is due.", "40000000 × 1.5% = 600000"),
        ("An upfront fee of $225,000, 150 bps of the revolver, is due.", "15000000 × 1.5% = 225000"),
        (
            "The loans are $40,000,000 and $15,000,000.\n\nIn all the Lenders lend $55,000,000.",
            "40000000 + 15000000 = 55000000",
        ),
        (
            "The term loan is $40,000,000.\n\nThe revolver is $15,000,000.\n\nTogether they make $55,000,000.",
            "40000000 + 15000000 = 55000000",
        ),
        (
            "| Loan | Amount |\n| --- | --- |\n| Term | $40,000,000 |\n| Revolver | $15,000,000 |\n"
            "| Swingline | $5,000,000 |\n| Total | $60,000,000 |",
            "40000000 + 15000000 + 5000000 = 60000000",
        ),
    ],
)
def test_a_draft_shows_the_arithmetic_behind_a_figure(memo, derivation):
    check = draft(memo)
    assert check.findings == ()
    derived = [g for g in check.grounded if g.derivation]
    assert [g.derivation for g in derived] == [derivation]
    text = ROOM["01-credit-agreement.docx"]
    terms = [text[s.start : s.end] for s in derived[0].sources]
    assert terms
    assert all(any(ch.isdigit() for ch in term) for term in terms)


@pytest.mark.parametrize(
    ("memo", "flagged"),
    [
        ("The agency fee comes to $75,000.", "$75,000"),  # no year is said
        ("The agency fee comes to $75,100 a year.", "$75,100"),
        ("The audit fee comes to $396,000 a year.", "$396,000"),  # it is not a monthly one
        ("The monitoring fee is $252,000 annually.", "$252,000"),  # nor is this one
        ("The agency fee is $75,000 a month.", "$75,000"),
        ("An upfront fee of $600,000 is due.", "$600,000"),  # no rate is said
        ("An upfront fee of $610,000 (1.5% of the term loan) is due.", "$610,000"),
        ("An upfront fee of €600,000 (1.5% of the term loan) is due.", "€600,000"),
        ("The loans are $40,000,000 and $15,000,000.\n\nThe Lenders lend $55,000,000.", "$55,000,000"),
        (
            "The term loan is $40,000,000.\n\nThe revolver is $15,000,000.\n\nText.\n\nMore.\n\nIn all $55,000,000.",
            "$55,000,000",
        ),
        ("The loans are $40,000,000 and $15,000,000.\n\nIn all €55,000,000.", "€55,000,000"),
    ],
)
def test_a_draft_whose_arithmetic_is_not_there_is_flagged(memo, flagged):
    assert [f.text for f in draft(memo).findings] == [flagged]


def test_a_column_is_summed_by_itself():
    head = "| Item | 2022 | 2023 |\n| --- | --- | --- |\n"
    rows = (
        "| Term | $40,000,000 | $6,250 |\n| Revolver | $15,000,000 | $21,000 |\n| Swingline | $5,000,000 | $33,000 |\n"
    )
    check = draft(f"{head}{rows}| Total | $60,000,000 | $60,250 |")
    assert check.findings == ()
    assert [g.derivation for g in check.grounded if g.derivation] == [
        "40000000 + 15000000 + 5000000 = 60000000",
        "6250 + 21000 + 33000 = 60250",
    ]
    wrong = draft(f"{head}{rows}| Total | $60,000,000 | $61,250 |")
    assert [f.text for f in wrong.findings] == ["$61,250"]


def test_terms_must_stand_in_the_same_paragraph():
    near = "The term loan is $40,000,000 and the audit fee $33,000, together $40,033,000."
    far = "The term loan is $40,000,000 and the audit fee $33,000.\n\nHeading\n\nThat is $40,033,000."
    assert draft(near).findings == ()
    assert [f.text for f in draft(far).findings] == ["$40,033,000"]
