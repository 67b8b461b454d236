"""Figures made comparable: what a spelling is worth, how far a source may be from it, and where it is found."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reconcile_fixtures import state

from tasks.harness import packaged
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.reconcile.quantities import BRIEF, Quantity, Slack, SourceFigures, stated_precision, tolerance
from tasks.sources.records import Span


def quantity(text: str) -> Quantity:
    figures = scan_numbers(text)
    assert len(figures) == 1, figures
    return Quantity.of(figures[0])


def sources(**texts: str) -> SourceFigures:
    return SourceFigures({f"{name}.md": content for name, content in texts.items()}, state())


def found(held: SourceFigures, text: str, slack: Slack | None = None) -> list[tuple[str, str]]:
    """Documents and words of the sources that equal a figure, in the order in which they are offered."""
    one = quantity(text)
    equal = held.equal(one) if slack is None else held.equal(one, slack)
    return [(s.span.document, s.quantity.figure.text) for s in equal]


@pytest.mark.parametrize(
    ("text", "family", "value"),
    [
        ("a fee of $1,250.50", "USD", "1250.50"),
        ("a fee of €1.2 million", "EUR", "1200000"),
        ("a fee of £75,000", "GBP", "75000"),
        ("interest at 7.25%", "rate", "7.25"),
        ("a margin of 375 bps", "rate", "3.75"),
        ("a margin of 375 basis points", "rate", "3.75"),
        ("two-thirds of the lenders", "rate", "66.66666667"),
        ("leverage of 4.25x", "multiple", "4.25"),
        ("a ratio of 4.25 to 1.00", "multiple", "4.25"),
        ("within nine months", "months", "9"),
        ("within two quarters", "months", "6"),
        ("within three years", "months", "36"),
        ("within 10 days", "days", "10"),
        ("within two weeks", "days", "14"),
        ("within 48 hours", "hours", "48"),
        ("within 90 minutes", "minutes", "90"),
        ("within 30 seconds", "seconds", "30"),
        ("5,000,000 shares", "count", "5000000"),
        ("214 employees", "count", "214"),
    ],
)
def test_a_figure_is_put_on_the_scale_of_its_family(text, family, value):
    one = quantity(text)
    assert (one.family, one.value) == (family, Decimal(value))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5%", "five percent"),
        ("5%", "500 bps"),
        ("50%", "one-half"),
        ("24 months", "two years"),
        ("3 months", "one quarter"),
        ("14 days", "two weeks"),
        ("$1,500,000", "$1.5 million"),
        ("$1,500,000", "US$1.5 million"),
        ("3.50x", "3.50 to 1.00"),
        ("3.50x", "3.5:1.0"),
    ],
)
def test_spellings_of_one_quantity_are_equal(one, other):
    a, b = quantity(f"It is {one} here."), quantity(f"It is {other} here.")
    assert (a.family, a.value) == (b.family, b.value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("$1,500,000", "€1,500,000"),
        ("$1,500,000", "CAD 1,500,000"),
        ("30 days", "1 month"),  # a month has no number of days
        ("24 hours", "1 day"),  # nor a day of 24 hours: a business day ends earlier
        ("60 minutes", "1 hour"),
        ("5%", "5x"),
        ("5 years", "5 months"),
        ("52 weeks", "1 year"),
    ],
)
def test_quantities_of_other_units_stay_apart(one, other):
    a, b = quantity(f"It is {one} here."), quantity(f"It is {other} here.")
    assert (a.family, a.value) != (b.family, b.value)


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("$2,500,000", "25"),
        ("$2,500", "25"),
        ("$2,500,001", "2500001"),
        ("$(8,500)", "85"),
        ("0.75%", "75"),
        ("75%", "75"),
        ("$1,204,000", "1204"),
        ("10%", "1"),
    ],
)
def test_significant_digits_leave_out_scale_and_sign(text, digits):
    assert quantity(f"It is {text} here.").digits == digits


@pytest.mark.parametrize(
    ("text", "value", "precision"),
    [
        ("$1.2 million", "1200000", "100000"),
        ("$1.20 million", "1200000", "10000"),
        ("$1,204,000", "1204000", "1"),
        ("$12.50", "12.50", "0.01"),
        ("5%", "5", "1"),
        ("5.25%", "5.25", "0.01"),
        ("€3 billion", "3000000000", "1000000000"),
        ("five percent", "5", "0"),  # words state no last digit
        ("$0", "0", "0"),
        ("$0.00", "0", "0"),
        ("$(8,500)", "-8500", "1"),
        ("7,", "7", "1"),
    ],
)
def test_the_last_digit_that_a_figure_states(text, value, precision):
    assert stated_precision(text, Decimal(value)) == Decimal(precision)


GATE = packaged().gates.number
MOST, LEAST = Decimal(str(GATE.rounding_most)), Decimal(str(GATE.rounding_least))


@pytest.mark.parametrize(
    "before",
    ["approximately ", "Approx. ", "about ", "around ", "roughly ", "circa ", "ca. ", "some ", "~", "≈ ", "close to "],
)
def test_words_of_approximation_give_room_on_both_sides(before):
    slack = tolerance(quantity("$1,200"), before, GATE)
    assert slack.below == slack.above == min(max(Decimal(50), 1200 * LEAST), 1200 * MOST)
    assert slack.below > 0


@pytest.mark.parametrize("before", ["over ", "more than ", "in excess of ", "upwards of ", "just above "])
def test_words_of_more_give_room_above_only(before):
    assert tolerance(quantity("$1,200"), before, GATE) == Slack(Decimal(0), 1200 * MOST)


@pytest.mark.parametrize("before", ["nearly ", "almost ", "just under ", "just below ", "less than "])
def test_words_of_less_give_room_below_only(before):
    assert tolerance(quantity("$1,200"), before, GATE) == Slack(1200 * MOST, Decimal(0))


@pytest.mark.parametrize(
    "before",
    [
        "",
        "exactly ",
        "not over ",
        "not more than ",
        "no more than ",
        "not less than ",
        "a total of ",
        "moreover ",
        "of ",
    ],
)
def test_a_limit_or_a_plain_figure_is_exact(before):
    assert tolerance(quantity("$1,200"), before, GATE) == Slack()


@pytest.mark.parametrize(
    ("text", "room"),
    [
        ("$1.2 million", "50000"),
        ("$1.24 million", "5000"),
        ("$3 billion", "500000000"),
        ("$1.2m", "50000"),
        ("$450k", "500"),
        ("$1,200,000", "0"),  # a figure written out states every digit
        ("$12.50", "0"),
        ("1.2 million shares", "0"),  # only money is rounded without a word
        ("5.2%", "0"),
    ],
)
def test_a_scale_word_implies_rounding_of_money(text, room):
    slack = tolerance(quantity(f"It is {text} here."), "It is ", GATE)
    assert slack == Slack(Decimal(room), Decimal(room))


def test_the_room_of_about_lies_between_the_two_shares_of_the_settings():
    tight = GATE.model_copy(update={"rounding_least": 0.02, "rounding_most": 0.03})
    assert tolerance(quantity("$1,000"), "about ", tight).above == Decimal("30.00")  # half of 1,000 is over the most
    assert tolerance(quantity("$1,234"), "about ", tight).above == Decimal("24.68")  # half of 1 is under the least
    assert tolerance(quantity("$1,200"), "about ", tight).above == Decimal("36.00")
    assert tolerance(quantity("$1,250"), "about ", tight).above == Decimal("25.00")


LEASE = "Rent is $8,500. The deposit is $17,000, two months. Rent of $8,500 is due monthly. Late charges run at 1.5%."
LOAN = "The advance is €8,500. Default interest is 150 bps. Leverage is 3.5x. Amount | 17,000"


def test_equal_figures_are_found_in_every_document_and_currency_is_kept():
    held = sources(lease=LEASE, loan=LOAN)
    assert found(held, "$8,500") == [("lease.md", "$8,500"), ("lease.md", "$8,500")]
    assert found(held, "€8,500") == [("loan.md", "€8,500")]
    assert found(held, "£8,500") == []
    assert found(held, "$17,000") == [("lease.md", "$17,000"), ("loan.md", "17,000")]
    assert found(held, "1.5 percent") == [("lease.md", "1.5%"), ("loan.md", "150 bps")]
    assert found(held, "3.50 to 1.00") == [("loan.md", "3.5x")]
    assert found(held, "$8,501") == []


def test_a_bare_number_fits_every_unit():
    held = sources(lease=LEASE, loan=LOAN)
    assert ("lease.md", "$8,500") in found(held, "8,500")
    assert ("loan.md", "€8,500") in found(held, "8,500")


def test_a_tolerance_offers_the_nearest_first_and_includes_its_ends():
    held = sources(a="Fees of $990, $1,000, $1,010, $1,020 and $1,030 were paid.")
    slack = Slack(Decimal(10), Decimal(20))
    assert [t for _, t in found(held, "$1,000", slack)] == ["$1,000", "$990", "$1,010", "$1,020"]
    assert [t for _, t in found(held, "$1,001", slack)] == ["$1,000", "$1,010", "$1,020"]
    assert [t for _, t in found(held, "$1,009", slack)] == ["$1,010", "$1,000", "$1,020"]
    assert found(held, "$1,051", slack) == []


@pytest.mark.parametrize(
    ("text", "equal"),
    [
        ("33.33%", True),  # a third, as a draft rounds it
        ("33.3%", False),  # off by more than half of a hundredth
        ("33.34%", False),
        ("33%", False),
        ("33.328%", False),
        ("33.338%", True),
    ],
)
def test_a_rate_with_decimals_may_be_off_by_half_a_hundredth(text, equal):
    held = sources(a="One-third of the lenders may object.")
    assert bool(found(held, f"{text} of them")) is equal


def test_a_whole_rate_is_exact():
    held = sources(a="Interest runs at 5.004%.")
    assert found(held, "5%") == []
    assert found(held, "5.00%") == []
    assert found(held, "5.002%") == [("a.md", "5.004%")]


def test_a_sign_does_not_hide_a_source():
    held = sources(a="Net loss was $(8,500).")
    assert found(held, "$8,500") == [("a.md", "$(8,500)")]


def test_of_a_figure_that_a_document_repeats_the_first_dozen_are_kept_and_every_document_once():
    held = sources(a="It costs $55. " * 30, b="It costs $55.", c="It costs $55.")
    names = [d for d, _ in found(held, "$55")]
    assert names == ["a.md"] * 12 + ["b.md", "c.md"]


def test_figures_at_a_span_are_those_that_touch_it():
    content = "Rent is $8,500 for 36 months and 214 employees."
    held = sources(a=content)

    def at(words: str) -> list[str]:
        start = content.index(words)
        return [f.text for f in held.at(Span(document="a.md", start=start, end=start + len(words)))]

    assert at("$8,500") == ["$8,500"]
    assert at("8,5") == ["$8,500"]
    assert at("$8,500 for 36 months") == ["$8,500", "36 months"]
    assert at(" for ") == []
    assert at("Rent is ") == []
    assert at("Rent is $") == ["$8,500"]
    assert held.at(Span(document="unknown.md", start=0, end=9)) == []


def test_figures_of_the_brief_are_found_under_its_name():
    held = sources(a="Rent is $8,500.")
    held.extend(BRIEF, scan_numbers("We offer $9,000 or 8,500 dollars."))
    assert found(held, "$9,000") == [(BRIEF, "$9,000")]
    assert [d for d, _ in found(held, "$8,500")] == ["a.md", BRIEF]
    assert found(held, "$8,990", Slack(Decimal(0), Decimal(10))) == [(BRIEF, "$9,000")]
    assert BRIEF not in held.figures


def test_the_same_digits_in_another_scale_are_known():
    held = sources(a="The cap is $2,500,000. The fee is 2.5%. The price is $2,600,000.")
    same = [s.quantity.figure.text for s in held.same_digits(quantity("$2,500"))]
    assert same == ["$2,500,000", "2.5%"]
    assert held.same_digits(quantity("$77")) == []


def test_a_family_is_listed_by_value_once_each():
    held = sources(a="Fees of $30, $10 and $20; then $10 again; 5% on top.")
    assert [s.quantity.figure.text for s in held.family("USD")] == ["$10", "$20", "$30"]
    assert [s.quantity.figure.text for s in held.family("rate")] == ["5%"]
    assert list(held.family("EUR")) == []


AMOUNTS = st.integers(min_value=1_000, max_value=99_999_999)


@settings(max_examples=60, deadline=None)
@given(amount=AMOUNTS)
def test_an_amount_is_found_in_each_of_its_spellings(amount):
    held = sources(a=f"The Purchase Price is ${amount:,}.00 in cash.")
    for spelling in (f"${amount:,}", f"${amount}", f"US${amount:,}", f"USD {amount:,}", f"{amount:,} dollars"):
        assert len(found(held, f"It is {spelling} here.")) == 1, spelling
    assert found(held, f"It is €{amount:,} here.") == []


@settings(max_examples=60, deadline=None)
@given(amount=AMOUNTS, place=st.integers(0, 7), shift=st.integers(1, 9))
def test_an_amount_with_one_digit_altered_is_not_found(amount, place, shift):
    digits = list(str(amount))
    at = place % len(digits)
    digits[at] = str((int(digits[at]) + shift) % 10)
    other = int("".join(digits))
    held = sources(a=f"The Purchase Price is ${amount:,}.")
    if other:
        assert found(held, f"It is ${other:,} here.") == []


@settings(max_examples=40, deadline=None)
@given(months=st.integers(1, 240))
def test_years_and_months_meet_exactly_where_they_are_the_same(months):
    held = sources(a=f"The term is {months} months.")
    years, rest = divmod(months, 12)
    if years:
        unit = "year" if years == 1 else "years"
        assert bool(found(held, f"It is {years} {unit} here.")) is (rest == 0)


@settings(max_examples=40, deadline=None)
@given(bps=st.integers(1, 2_000))
def test_basis_points_and_percent_are_one_rate(bps):
    held = sources(a=f"The Applicable Margin is {bps} bps.")
    assert len(found(held, f"It is {Decimal(bps) / 100}% here.")) == 1
    assert found(held, f"It is {Decimal(bps + 1) / 100}% here.") == []
