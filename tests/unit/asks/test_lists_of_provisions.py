"""Lists of provisions are parted at each of them, whatever their own words may ask elsewhere."""

import pytest
from asks_fixtures import read

from tasks.asks.clauses import Segmenter
from tasks.asks.grammar import grammar_of
from tasks.asks.names import provisions_named
from tasks.asks.parse import parse_asks
from tasks.asks.records import AskKind
from tasks.harness import packaged
from tasks.matter.records import Matter
from tasks.retrieval.provisions import catalogue_of
from tasks.sources.records import MatterState

LISTS = [
    (
        "For each document give the agreement date, rent, security deposit, governing law and insurance",
        ["the agreement date", "rent", "security deposit", "governing law", "insurance"],
    ),
    (
        "give the cap on liability, audit rights, governing law and insurance",
        ["the cap on liability", "audit rights", "governing law", "insurance"],
    ),
]


@pytest.mark.parametrize(("words", "items"), LISTS)
def test_a_provision_is_an_item_of_its_own(words, items):
    assert [a.words for a in read(words).asks] == items


def test_a_company_ends_a_sentence_where_a_request_follows():
    text = "We act for Finch Robotics, Inc. Review each agreement. It sold to Alder Inc. Limited supplies of flour."
    found = [text[slice(*c.span)] for c in Segmenter(text, grammar_of(packaged().knowledge), []).clauses()]
    assert found == [
        "We act for Finch Robotics, Inc",
        "Review each agreement",
        "It sold to Alder Inc. Limited supplies of flour",
    ]


def test_a_provision_that_begins_like_a_request_is_none():
    grammar = grammar_of(packaged().knowledge)
    text = "Review each agreement for exclusivity, change of control and cap on liability, note its governing law."
    kept = [(n.start, n.end) for n in provisions_named(text, catalogue_of(packaged().knowledge))]
    found = [text[slice(*c.span)] for c in Segmenter(text, grammar, kept).clauses()]
    assert found == [
        "Review each agreement for exclusivity, change of control and cap on liability",
        "note its governing law",
    ]


def test_the_name_of_a_provision_asks_for_a_fact():
    brief = "For each agreement give the exclusivity, change of control, cap on liability and governing law."
    matter = Matter(matter_id="m", title="t", area="", instructions=brief)
    state = MatterState(matter_id="m", documents=(), coverage=())
    asks = parse_asks(matter, state, packaged()).asks
    assert [a.words for a in asks] == ["the exclusivity", "change of control", "cap on liability", "governing law"]
    assert {a.kind for a in asks} == {AskKind.FACT}
