"""A draft that repeats its source word for word: the literal that grounds it, and the one that was altered."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.reconcile.passages import PassageIndex, PassageMatch, worded


def forms(text: str) -> list[str]:
    return [literal.form for literal in worded(text).literals]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a deposit of $1,204,000 within thirty (30) days after", ["$1,204,000", "thirty 30 days"]),
        ("a fee of US$ 5 million on closing", ["us$ 5 million"]),
        ("five percent (5%) per annum", ["five percent 5%"]),
        ("twenty-one days after service", ["twenty-one days"]),
        ("a 21-day period", ["21-day"]),
        ("one full calendar year from closing", ["one full calendar year"]),
        ("two consecutive business days thereafter", ["two consecutive business days"]),
        ("three additional parties sign", ["three"]),
        ("thirty additional days", ["thirty additional days"]),
        ("the first day of each month", []),
        ("dollars and percent and months", []),
        ("31 December 2031 is the end", ["31 december 2031"]),
        ("in December of each year", []),
        ("2½ times the salary", ["2½"]),
        ("within 10 days.", ["10 days"]),
        ("Sections 4.1, 4.2 and 4.3", ["4.1 4.2", "4.3"]),
        ("an amount_____of $55", ["$55"]),
        ("", []),
        ("— … ***", []),
    ],
)
def test_quantities_are_folded_into_literals(text, expected):
    assert forms(text) == expected


def test_a_literal_stands_for_one_word_and_keeps_its_place():
    text = "Buyer pays $1,204,000 within thirty (30) days after closing."
    read = worded(text)
    assert read.words == ("buyer", "pays", "#", "within", "#", "after", "closing")
    assert [text[x.start : x.end] for x in read.literals] == ["$1,204,000", "thirty (30) days"]
    assert [(x.first, x.last) for x in read.literals] == [(2, 2), (4, 4)]
    shown = [text[s:].split()[0] for s in read.starts]
    assert shown == ["Buyer", "pays", "$1,204,000", "within", "thirty", "after", "closing."]


def test_units_without_a_number_stay_words():
    read = worded("the percent of dollars due each month after 5 days")
    assert read.words == ("the", "percent", "of", "dollars", "due", "each", "month", "after", "#")


def test_qualifiers_without_a_unit_are_given_back_in_order():
    read = worded("5 full working additional units")
    assert read.words == ("#", "full", "working", "additional", "units")
    assert forms("5 full working additional units") == ["5"]
    assert forms("5 full 6 days") == ["5", "6 days"]


def test_four_qualifiers_are_too_many():
    assert forms("5 full full full days") == ["5 full full full days"]
    assert forms("5 full full full full days") == ["5"]


def test_a_quotation_does_not_go_on_with_the_figure_before_it():
    assert forms("the term is 12 months “11.1 The term”") == ["12 months", "11.1"]
    assert forms('the term is 12 months "11.1 The term"') == ["12 months", "11.1"]
    assert forms("the term is 12 months 11.1 The term") == ["12 months 11.1"]


SOURCE = (
    "Buyer shall pay Seller a deposit of $1,204,000 within thirty (30) days after the Effective Date of this Agreement."
    " The Supplier shall deliver the Products to the Warehouse within 45 days after receipt of each Purchase Order."
)


def match(draft: str, *sources: str, literal: int = 0) -> tuple[PassageMatch, str] | None:
    """The passage that a literal of a draft (one sentence) repeats, and the words of the source at its span."""
    texts = {f"{n}.md": s for n, s in enumerate(sources or (SOURCE,))}
    read = worded(draft)
    found = PassageIndex(texts).match(read, read.literals[literal], 0, len(read.words))
    if found is None:
        return None
    return found, texts[found.span.document][found.span.start : found.span.end]


@pytest.mark.parametrize(
    ("draft", "equal", "whole", "shown"),
    [
        ("Buyer shall pay Seller a deposit of $1,204,000 within thirty (30) days", True, True, "$1,204,000"),
        ("Buyer shall pay Seller a deposit of $1,240,000 within thirty (30) days", False, False, "$1,204,000"),
        ("Buyer shall pay Seller a deposit of €1,204,000 within thirty (30) days", False, False, "$1,204,000"),
        ("Buyer must pay a deposit of $1,204,000 within thirty (30) days", True, False, "$1,204,000"),
        ("We read that the deposit of $1,204,000 is due at once", None, None, None),
        ("Buyer must pay to Seller some deposit of $1,240,000 within seven days", None, None, None),
        ("the Products to the Warehouse within 45 full business days after receipt of each", False, False, "45 days"),
        ("Seller a deposit of $1,240,000", None, None, None),  # four words are too few to call it the passage
        ("pay Seller a deposit of $1,240,000", None, None, None),
        ("shall pay Seller a deposit of $1,240,000", False, False, "$1,204,000"),  # six
        ("the Products to the Warehouse within 54 days after receipt of each Purchase", False, False, "45 days"),
        ("the Products to the Warehouse within 45 weeks after receipt of each Purchase", False, False, "45 days"),
        ("the Products to the Warehouse within 45 days after receipt of each Purchase", True, True, "45 days"),
        ("to the Depot within 54 days after receipt of each Purchase Order", None, None, None),
        ("goods to the Warehouse within 54 days after receipt of each Purchase Order", False, False, "45 days"),
        ("the goods for our Warehouse within 54 days after receipt of every order", None, None, None),
    ],
)
def test_the_words_around_a_literal_decide(draft, equal, whole, shown):
    found = match(draft)
    if shown is None:
        assert found is None
        return
    assert found is not None
    assert (found[0].equal, found[0].whole, found[1]) == (equal, whole, shown)


@pytest.mark.parametrize(
    ("draft", "equal"),
    [
        ("a deposit of $1,204,000 within thirty", True),  # the sentence is cut inside the pair
        ("a deposit of $1,204,000 within 30 days after the Effective Date of this", True),  # figures alone
        ("a deposit of $1,204,000 within 31 days after the Effective Date of this", False),
        ("a deposit of $1,204,000 within thirty-one (30) days after the Effective Date of this", False),
        ("a deposit of $1,204,000 within thirty (30) weeks after the Effective Date of this", False),
    ],
)
def test_one_side_of_a_pair_is_the_same_literal(draft, equal):
    found = match(draft, literal=1)
    assert found is not None
    assert found[0].equal is equal
    assert found[1] == "thirty (30) days"


def test_figures_before_their_words_may_stand_alone():
    source = "The unpaid balance bears interest at 5% (five percent) per annum until it is paid in full."
    found = match("The unpaid balance bears interest at 5% per annum until it is paid in full.", source)
    assert found is not None
    assert found[0].equal
    assert found[1] == "5% (five percent)"


def test_a_source_that_says_the_same_wins_over_one_that_does_not():
    first = "The Tenant shall pay the Landlord a deposit of $900 on the Commencement Date of the Lease."
    second = "The Tenant shall pay the Landlord a deposit of $800 on the Commencement Date of the Lease."
    for sources in ((first, second), (second, first)):
        found = match("The Tenant shall pay the Landlord a deposit of $800 on the Commencement Date", *sources)
        assert found is not None
        assert (found[0].equal, found[1]) == (True, "$800")


def test_a_phrase_with_the_same_figure_does_not_hide_a_passage_that_fits_better():
    passage = (
        "The Tenant shall pay the Landlord for the garage a deposit of $900 on the Commencement Date of the Lease."
    )
    phrase = "Under the earlier letter a deposit of $800 was held."
    found = match(passage.replace("$900", "$800"), passage, phrase)
    assert found is not None
    assert (found[0].equal, found[1]) == (False, "$900")


def test_a_literal_at_the_edge_of_a_document_is_found():
    found = match("$500 shall be paid by the Buyer on signing", "$500 shall be paid by the Buyer on signing of this")
    assert found is not None
    assert (found[0].equal, found[1]) == (True, "$500")
    found = match(
        "the Buyer shall then pay to the Seller $500", "On signing the Buyer shall then pay to the Seller $500"
    )
    assert found is not None
    assert (found[0].equal, found[1]) == (True, "$500")


def test_words_of_another_sentence_are_not_looked_at():
    draft = worded("The deposit is due. Buyer shall pay Seller a deposit of $1,240,000 at once.")
    index = PassageIndex({"a": SOURCE})
    at = draft.words.index("buyer")
    assert index.match(draft, draft.literals[0], at, len(draft.words)) is None
    end = draft.words.index("at")
    cut = index.match(draft, draft.literals[0], at, end)
    assert cut is not None
    assert not cut.equal


def test_line_breaks_case_and_quotation_marks_do_not_part_a_passage():
    broken = "BUYER shall\npay  Seller a “deposit” of $1,204,000\n within\tthirty (30) days"
    for n, shown in enumerate(("$1,204,000", "thirty (30) days")):
        found = match(broken, literal=n)
        assert found is not None
        assert (found[0].equal, found[1]) == (True, shown)


WORDS = ("buyer", "seller", "shall", "pay", "deliver", "the", "goods", "under", "this", "note", "on", "closing", "and")


@settings(max_examples=60, deadline=None)
@given(
    left=st.lists(st.sampled_from(WORDS), min_size=4, max_size=9),
    right=st.lists(st.sampled_from(WORDS), min_size=4, max_size=9),
    amount=st.integers(1_000, 9_999_999),
    more=st.integers(1, 9),
)
def test_a_copy_is_equal_and_an_altered_copy_is_not(left, right, amount, more):
    source = f"{' '.join(left)} ${amount:,} {' '.join(right)}"
    copied = match(source, source)
    assert copied is not None
    assert copied[0].equal
    assert copied[1] == f"${amount:,}"
    altered = match(source.replace(f"{amount:,}", f"{amount + more:,}"), source)
    assert altered is not None
    assert (altered[0].equal, altered[1]) == (False, f"${amount:,}")


@settings(max_examples=30, deadline=None)
@given(text=st.text(alphabet="ab 1$%.,()-“\n", max_size=80))
def test_places_of_words_are_in_order_whatever_the_text(text):
    read = worded(text)
    assert list(read.starts) == sorted(set(read.starts))
    assert len(read.starts) == len(read.words)
    assert [read.words[x.first] for x in read.literals] == ["#"] * len(read.literals)
    assert all(text[x.start : x.end].strip() for x in read.literals)


@pytest.mark.parametrize("said", ["two consecutive calendar days", "two full business days", "two consecutive weeks"])
def test_another_kind_of_day_behind_a_qualifier_is_an_alteration(said):
    source = "If the price stays below the floor for two consecutive business days the Agent shall notify the Lenders."
    found = match(source.replace("two consecutive business days", said), source)
    assert found is not None
    assert (found[0].equal, found[1]) == (False, "two consecutive business days")
