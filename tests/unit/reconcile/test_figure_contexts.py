"""What a figure is said of: the words around it, and the place of the sources that fits them."""

from __future__ import annotations

import pytest

from tasks.legaltext.numbers.scan import scan_numbers
from tasks.reconcile.numbers.context import Elsewhere, FigureContexts, stem_of, stems_around

LEASE = (
    "LEASE\n\n1. Rent. Tenant shall pay Landlord base rent of $8,500 on the first day of each month.\n\n"
    "2. Security Deposit. Tenant shall deliver a security deposit of $17,000 to Landlord at signing.\n\n"
    "3. Signage. Landlord contributes $2,300 toward the signage on the facade and $4,100 toward the awning.\n\n"
    "4. Holdover. A holdover tenant owes 150% of the rent, and late instalments bear 9% interest.\n\n"
    "5. Option. Tenant may extend the lease by notice given 270 days ahead and may cure a breach within 30 days.\n"
)
LOAN = (
    "LOAN\n\n1. Facility. Lender commits €8,500 under the facility. A security deposit of $21,000 backs the guaranty.\n"
)


def contexts(**rooms: str) -> FigureContexts:
    texts = {f"{name}.md": words for name, words in (rooms or {"lease": LEASE, "loan": LOAN}).items()}
    return FigureContexts(texts, {name: tuple(scan_numbers(words)) for name, words in texts.items()})


def elsewhere(
    draft: str, figure: str, scope: tuple[str, ...] = (), held: FigureContexts | None = None
) -> Elsewhere | None:
    said = scan_numbers(draft)
    (one,) = [f for f in said if f.text == figure]
    return (held or contexts()).elsewhere(draft, one, 0, len(draft), scope, said)


@pytest.mark.parametrize(
    ("draft", "figure", "shown"),
    [
        ("The security deposit that Tenant shall deliver is $8,500.", "$8,500", "$17,000"),
        ("Base rent on the first of each month is $17,000.", "$17,000", "$8,500"),
        ("Landlord contributes $4,100 toward the signage on the facade.", "$4,100", "$2,300"),
        ("Late instalments bear 150% interest.", "150%", "9%"),
        ("A holdover tenant owes 9% of the rent.", "9%", "150%"),
        ("Tenant may cure a breach within 270 days.", "270 days", "30 days"),
        ("Tenant may extend the lease by notice given 30 days ahead.", "30 days", "270 days"),
    ],
)
def test_words_that_fit_another_value_name_its_place(draft, figure, shown):
    found = elsewhere(draft, figure, ("lease.md",))
    assert found is not None
    assert found.text == shown
    assert LEASE[found.span.start : found.span.end] == shown
    assert found.span.document == "lease.md"
    assert 0 <= found.own_fit < found.fit <= 1.0001


@pytest.mark.parametrize(
    ("draft", "figure"),
    [
        # its own words
        ("The security deposit that Tenant shall deliver is $17,000.", "$17,000"),
        ("Base rent on the first of each month is $8,500.", "$8,500"),
        ("Landlord contributes $2,300 toward the signage on the facade.", "$2,300"),
        ("Late instalments bear 9% interest.", "9%"),
        ("Tenant may cure a breach within 30 days.", "30 days"),
        # words that tell nothing
        ("It is $8,500.", "$8,500"),
        ("The amount payable is $17,000 per year.", "$17,000"),
        # words of nobody's
        ("The unicorn grazes for $8,500.", "$8,500"),
        # another currency or kind of figure does not compare
        ("The security deposit delivered is €8,500.", "€8,500"),
        ("The security deposit is due in 30 days.", "30 days"),
        # the other value is said in the sentence as well
        ("The security deposit of $17,000 is twice the $8,500.", "$8,500"),
    ],
)
def test_words_of_its_own_or_of_nobody_name_no_other_place(draft, figure):
    assert elsewhere(draft, figure, ("lease.md",)) is None


def test_a_scope_keeps_other_documents_out():
    draft = "A security deposit backs the guaranty, in the amount of $8,500."
    inside = elsewhere(draft, "$8,500", ("loan.md",))
    assert inside is not None
    assert (inside.span.document, inside.text) == ("loan.md", "$21,000")
    other = elsewhere("Landlord contributes $8,500 toward the signage.", "$8,500", ("loan.md",))
    assert other is None


def test_words_that_tell_are_those_of_the_other_place_alone():
    found = elsewhere("The security deposit that Tenant shall deliver is $8,500.", "$8,500", ("lease.md",))
    assert found is not None
    assert {"securi", "deposi", "delive"} <= set(found.telling)
    assert "tenant" not in found.telling  # the place of the rent has it, too


def test_a_value_that_counts_as_the_same_is_no_other_one():
    draft = "The security deposit that Tenant shall deliver is $8,500."
    figure = next(f for f in scan_numbers(draft))
    given = [f for f in scan_numbers(LEASE) if f.text == "$17,000"]
    assert contexts().elsewhere(draft, figure, 0, len(draft), ("lease.md",), [figure], given) is None


def test_figures_without_a_group_are_not_compared():
    figures = [f for f in scan_numbers("Option 12 of the security deposit") if f.text == "12"]
    for figure in figures:
        assert contexts().elsewhere("Option 12 of the security deposit", figure, 0, 33) is None


def test_no_sources_are_no_place():
    assert elsewhere("The security deposit is $8,500.", "$8,500", (), FigureContexts({}, {})) is None


def test_the_heading_of_a_provision_speaks_for_its_figures():
    rooms = {
        "a": "1. Indemnity Basket. It is $40,000.\n\n2. Escrow Retention. It is $90,000.\n",
    }
    found = elsewhere("The escrow retention is $40,000.", "$40,000", (), contexts(**rooms))
    assert found is not None
    assert found.text == "$90,000"
    assert elsewhere("The escrow retention is $90,000.", "$90,000", (), contexts(**rooms)) is None


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("Deposits", "deposi"),
        ("deposit", "deposi"),
        ("Landlord’s", "landlo"),
        ("landlord's", "landlo"),
        ("fee", "fee"),
        ("Parties", "party"),
        ("awning", "awning"),
        ("the", ""),
        ("Agreement", ""),
        ("agreements", ""),
        ("thirty", ""),
        ("months", ""),
        ("x", ""),
        ("2019", ""),
        ("2nd", ""),
    ],
)
def test_stems_of_words_that_tell(word, stem):
    assert stem_of(word) == stem


def weights(draft: str, figure: str) -> dict[str, float]:
    figures = scan_numbers(draft)
    (one,) = [f for f in figures if f.text == figure]
    return stems_around(draft, one, 0, len(draft), figures)


def test_the_nearer_a_word_the_heavier():
    found = weights("Landlord gives Tenant a signage grant of $2,300 for the facade and awning", "$2,300")
    assert found["grant"] > found["signag"] > found["tenant"] > found["landlo"] > 0
    assert found["facade"] > found["awning"] > 0
    assert "the" not in found


def test_words_beyond_another_figure_are_rather_its_own():
    draft = "a signage grant of $2,300 for the facade, and a mural grant of $4,100 for the awning"
    first, second = weights(draft, "$2,300"), weights(draft, "$4,100")
    assert first["facade"] > 5 * first["mural"]
    assert first["facade"] > 5 * first["awning"]
    assert second["mural"] > 5 * second["facade"]
    assert second["awning"] > 5 * second["signag"]


def test_a_figure_of_another_kind_parts_nothing():
    draft = "a signage grant of $2,300 within 30 days for the facade"
    assert weights(draft, "$2,300")["facade"] > 0.4


def test_words_outside_the_sentence_or_out_of_reach_do_not_count():
    draft = "Mural. A grant of $2,300 is due. Awning."
    (figure,) = scan_numbers(draft)
    found = set(stems_around(draft, figure, 7, 32))
    assert found == {"grant"} | (found - {"mural", "awning"})
    far = "mural " + "grant " * 40 + "of $2,300"
    (figure,) = scan_numbers(far)
    assert "mural" not in stems_around(far, figure, 0, len(far))
