"""The headline of a clause names the value that its own words give, and none that they do not."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from knowledge_db.records import ProvisionEffect
from tasks.drafting.extractive.effects import effects_of
from tasks.drafting.extractive.units import Unit
from tasks.harness import packaged
from tasks.retrieval.provisions import catalogue_of

_BY_NAME = {p.name: p for p in catalogue_of(packaged().knowledge)}


def unit(text: str) -> Unit:
    """Return a sentence of a paper."""
    return Unit("a.txt", ((0, len(text)),), text, heading="", label="", page="", block=0)


def _of(kind: str, *sentences: str) -> str:
    units = [unit(s) for s in sentences]
    return effects_of(_BY_NAME[kind], units).says


@pytest.mark.parametrize(
    ("kind", "sentence", "says"),
    [
        (
            "termination for convenience",
            "Either party may terminate this Agreement at any time upon thirty (30) days' prior written notice.",
            "either party; at any time; on notice of thirty (30) days",
        ),
        (
            "termination for convenience",
            "Buyer may terminate for any reason by giving notice to Seller of not less than 90 days.",
            "on notice of 90 days; without cause",
        ),
        (
            "termination for convenience",
            "Either party may terminate without cause on written notice.",
            "either party; on notice; without cause",
        ),
        (
            "change of control",
            "On a change of control the other party may terminate this Agreement upon six (6) months advance written "
            "notification, and shall notify its decision within thirty (30) days following notice of the change.",
            "right to terminate; notice required of six (6) months",
        ),
        (
            "termination for convenience",
            "Either party may terminate at any time, and for breach if it is not cured upon notice within 30 days.",
            "either party; at any time; on notice",
        ),
        (
            "minimum commitment",
            "The minimum purchase volume of the Product is 50,000 units within the period of three (3) years.",
            "minimum purchases or volume: 50,000 units",
        ),
        (
            "minimum commitment",
            "Distributor shall order at least one truck each year, and give 120 days notice.",
            "minimum purchases or volume",
        ),
        (
            "minimum commitment",
            "Licensee shall pay a minimum royalty of $250,000 per year.",
            "minimum amount payable: $250,000",
        ),
        (
            "warranty duration",
            "Seller warrants the Goods for a period of twelve (12) months from delivery and will repair defects.",
            "period stated: twelve (12) months; runs from delivery or acceptance; repair or replacement",
        ),
        (
            "non-compete",
            "During the term and for two (2) years after termination of this Agreement Agent shall not compete.",
            "during the term; continues after termination for two (2) years",
        ),
        (
            "non-compete",
            "Agent shall not compete and shall answer within 30 days after receipt of an inquiry.",
            "",
        ),
        (
            "revenue or profit sharing",
            "Licensee shall pay a royalty of 5% of net sales.",
            "royalty of 5%; percentage stated",
        ),
        (
            "liquidated damages",
            "Contractor shall pay liquidated damages of $500 per day of delay.",
            "liquidated damages of $500",
        ),
        (
            "insurance",
            "Vendor shall maintain insurance of $1,000,000 per occurrence and $2,000,000 in the aggregate.",
            "policy to be maintained; minimum limits stated: $1,000,000 / $2,000,000",
        ),
    ],
)
def test_an_effect_names_the_value_of_its_clause(kind: str, sentence: str, says: str) -> None:
    assert _of(kind, sentence) == says


def test_the_sentence_that_gives_the_value_is_known() -> None:
    first, second = unit("Either party may terminate at any time."), unit("It gives sixty (60) days' written notice.")
    effects = effects_of(_BY_NAME["termination for convenience"], [first, second])
    assert [effects.of(u) for u in (first, second)] == [False, True]


def test_different_values_are_all_named_and_a_fourth_is_told_as_more() -> None:
    said = _of("insurance", "Limits are $1,000, $2,000, $3,000 and $4,000; carry insurance with a limit of $2,000.")
    assert said.endswith("minimum limits stated: $1,000 / $2,000 / $3,000 …")


@pytest.mark.parametrize(
    ("says", "when"),
    [("on notice[ of {value}]", "notice"), ("on notice", "(?P<value>x)"), ("on notice of {value}", "(?P<value>x)")],
)
def test_words_and_pattern_of_an_effect_agree_on_a_value(says: str, when: str) -> None:
    with pytest.raises(ValidationError, match="one place in brackets"):
        ProvisionEffect(says=says, when=when)
