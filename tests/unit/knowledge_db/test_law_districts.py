"""Whose law is meant, and whose applies."""

import pytest

from knowledge_db import KnowledgeBase
from knowledge_db.jurisdictions import applies, codes_in
from tasks.legaltext.tokens import terms


@pytest.fixture(scope="module")
def knowledge() -> KnowledgeBase:
    return KnowledgeBase(tokenize=terms)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("governed by the laws of the State of Delaware", {"US-DE"}),
        ("English law applies; the seat is Singapore", {"UK", "SG"}),
        ("EU data protection in Germany", {"EU", "DE"}),
        ("Advise us in plain words", set()),
        ("the indian ocean", set()),  # a name, not a word
    ],
)
def test_places_are_read_from_their_names(text: str, codes: set[str]) -> None:
    assert codes_in(text) == codes


@pytest.mark.parametrize(
    ("law", "place", "answer"),
    [
        ("US", "US-DE", True),  # federal law in a state
        ("US-DE", "US-DE", True),
        ("US-NY", "US-DE", False),
        ("US-NY", "US", True),  # the country is named, not the state
        ("US-model", "US-TX", True),
        ("EU", "DE", True),
        ("EU", "UK", False),
        ("INTL", "JP", True),
        ("UK", "UK-SCT", True),
        ("DE", "US", False),
    ],
)
def test_law_applies_at_home_above_and_by_membership(law: str, place: str, answer: bool) -> None:
    assert applies(law, frozenset({place})) is answer


@pytest.mark.parametrize(
    ("query", "district"),
    [
        ("limitation period for contract claims in Germany", "DE"),
        ("directors duties England and Wales", "UK"),
        ("restrictive covenant non-compete California employee", "US-CA"),
        ("limitation of actions for breach of contract", "US"),
    ],
)
def test_law_of_the_place_comes_first(knowledge: KnowledgeBase, query: str, district: str) -> None:
    first = knowledge.search_authorities(query, 3)
    assert all(row["jurisdiction"].startswith(district) for row in first)


def test_places_may_be_given(knowledge: KnowledgeBase) -> None:
    found = knowledge.search_authorities("unfair prejudice petition of a member", 1, frozenset({"UK"}))
    assert found[0]["citation"].startswith("Companies Act 2006")
