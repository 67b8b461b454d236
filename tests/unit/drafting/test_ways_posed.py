"""Questions put to several agreements in words of their own."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ways_room import room

from tasks.asks.records import AskState
from tasks.drafting.extractive.ways import posed, provision
from tasks.drafting.extractive.ways.registry import answer_asks
from tasks.models.access import ModelAccess
from tasks.retrieval.posed import PosedQuestions

SUPPLY = """SUPPLY AGREEMENT

This Supply Agreement is made as of March 1, 2024 by and between Quill Mill Inc. and Osier Wool LLC.

1. Law. This Agreement shall be governed by the laws of the State of Vermont.

2. Transfer. Neither party may assign this Agreement without the prior written consent of the other party.

3. Books. Quill Mill may at any time during business hours inspect and audit the books and records of Osier Wool.
"""
CARTAGE = """CARTAGE AGREEMENT

This Cartage Agreement is made as of May 2, 2024 by and between Quill Mill Inc. and Drover Lines LLC.

1. Law. This Agreement shall be governed by the laws of the State of Maine.

2. Fees. Quill Mill pays $40 for each load.
"""
PAPERS = {"supply.txt": SUPPLY, "cartage.txt": CARTAGE}
BRIEF = "Please go through the contracts."


def entries(words, papers=PAPERS):
    [got] = answer_asks(room(papers, f"{BRIEF} {words}", (words, "fact")))
    return {e.document: e for e in got.entries}


def test_each_agreement_answers_a_question_that_names_none() -> None:
    told = entries("Whose law applies to it?")
    assert {d: e.answer for d, e in told.items()} == {"supply.txt": "Vermont", "cartage.txt": "Maine"}
    assert all(e.certain and e.support for e in told.values())


def test_an_agreement_that_is_silent_is_said_to_be_so() -> None:
    told = entries("May they look at the other side's books and records?")
    assert told["supply.txt"].state is AskState.ANSWERED
    assert told["cartage.txt"].state is AskState.NOT_FOUND
    assert "audit rights" in told["cartage.txt"].answer


def test_a_clause_of_another_kind_that_may_be_meant_is_shown_and_not_denied() -> None:
    breach = "3. Default. Osier Wool may terminate this Agreement if Quill Mill is in material breach for thirty days."
    told = entries("How can it be ended early?", {**PAPERS, "supply.txt": f"{SUPPLY}\n{breach}\n"})
    assert told["supply.txt"].answer.startswith("Termination for cause")
    assert not told["supply.txt"].certain
    assert told["cartage.txt"].state is AskState.NOT_FOUND


def test_a_clause_does_not_answer_yes_to_a_question_that_it_forbids() -> None:
    """ "Yes" would say that there is such a clause; the question is whether one may transfer."""
    told = entries("Can a party transfer the contract to somebody else?")
    assert told["supply.txt"].answer.startswith("Restriction on assignment: ")


def test_where_the_question_is_not_surely_meant_so_nothing_is_denied_or_stated() -> None:
    words = "Can a party transfer the contract to somebody else?"
    one = room(PAPERS, f"{BRIEF} {words}", (words, "fact"))
    unsure = one.settings.model_copy(update={"posed_sure": 1.5})
    [ask] = one.job.asks.asks
    got = posed.answer(ask, room(PAPERS, f"{BRIEF} {words}", (words, "fact"), procedure=unsure))
    assert got
    told = {e.document: e for e in got.entries}
    assert told["supply.txt"].state is AskState.ANSWERED
    assert not told["supply.txt"].certain
    assert told["cartage.txt"].state is AskState.NOT_ATTEMPTED
    assert "restriction on assignment" in told["cartage.txt"].reason


def test_where_no_such_clause_is_found_one_of_a_kind_like_it_is_nearest() -> None:
    words = "If we buy the company by share purchase, do we need their consent?"
    change = "3. Control. Either party may terminate this Agreement on a change of control of the other party."
    papers = {**PAPERS, "cartage.txt": f"{CARTAGE}\n{change}\n"}
    unsure = room(papers, "").settings.model_copy(update={"posed_sure": 1.5})
    one = room(papers, f"{BRIEF} {words}", (words, "fact"), procedure=unsure)
    [ask] = one.job.asks.asks
    got = posed.answer(ask, one)
    assert got
    told = {e.document: e for e in got.entries}
    assert told["cartage.txt"].answer.startswith("Change of control")
    first = told["supply.txt"].nearest[0]
    assert "Neither party may assign" in SUPPLY[first.start : first.end]


@pytest.mark.parametrize(
    ("words", "papers"),
    [
        ("Whose law applies to it?", {"supply.txt": SUPPLY}),  # of one paper the sentences themselves are weighed
        ("Which wool is finer?", PAPERS),
    ],
)
def test_one_agreement_and_other_questions_are_left_to_other_ways(words, papers) -> None:
    one = room(papers, f"{BRIEF} {words}", (words, "fact"))
    [ask] = one.job.asks.asks
    assert posed.answer(ask, one) is None


def test_the_likeness_and_the_margin_of_the_procedure_decide_what_is_read() -> None:
    words = "Whose law applies to it?"
    one = room(PAPERS, f"{BRIEF} {words}", (words, "fact"))
    assert posed.meaning(words, one) is not None
    for name in ("posed_near", "posed_margin", "posed_alike"):
        strict = one.settings.model_copy(update={name: 1.5})
        assert posed.meaning(words, room(PAPERS, f"{BRIEF} {words}", (words, "fact"), procedure=strict)) is None


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("expiration date", "expiration date"),
        ("signature date", "agreement date"),  # in other words, and very like an example
        ("when does it end", "expiration date"),
        ("effective date", None),
        ("termination for convenience", None),
        ("notice period to terminate renewal", None),
        ("post-termination services", None),
    ],
)
def test_a_name_with_a_word_that_the_kind_does_not_know_is_another_thing(words, kind) -> None:
    """Of three kinds that are known, the nearest is no answer to what is asked by the name of a fourth."""
    few = among(("agreement date", "expiration date", "governing law"), words)
    named, read = provision.topic_asked(few.job.asks.asks[0], few), posed.meaning(words, few)
    assert (named.provision.name if named else read.provision.name if read else None) == kind
    if kind is None:
        lax = few.settings.model_copy(update={"posed_named": 0.0})
        assert (
            posed.meaning(words, among(("agreement date", "expiration date", "governing law"), words, lax)) is not None
        )


def among(kinds, words, procedure=None):
    """A room whose catalogue has these kinds of clauses alone."""
    asked = room(PAPERS, f"{BRIEF} {words}", (words, "fact"), procedure=procedure)
    known = [p for p in asked.catalogue if p.name in kinds]
    vars(asked).update(
        catalogue=known, posed=PosedQuestions(known, ModelAccess({}).client("wordllama", "embeddings").embed)
    )
    return asked


def test_a_word_before_a_name_of_one_word_makes_it_another_thing() -> None:
    cases = (
        ("exclusivity", "exclusivity"),
        ("territorial exclusivity", None),
        ("the current governing law", "governing law"),
    )
    for words, kind in cases:
        asked = room(PAPERS, f"{BRIEF} {words}", (words, "fact"))
        topic = provision.topic_asked(asked.job.asks.asks[0], asked)
        assert (topic.provision.name if topic else None) == kind, words


def test_a_contract_and_its_order_form_are_one_agreement_and_not_denied_apart() -> None:
    order = """ORDER FORM

This Order Form is made as of April 9, 2024 under the Supply Agreement by and between Quill Mill Inc. and Osier Wool
LLC.

Wool: 400 bales at $90 for each bale.
"""
    asked = room({"supply.txt": SUPPLY, "order.txt": order}, f"{BRIEF} Are the books ours to audit?")
    assert len(asked.deals) == 1
    words = "can they get out because of the outages"
    [got] = answer_asks(room({"supply.txt": SUPPLY, "order.txt": order}, f"{BRIEF} {words}?", (words, "yes_no")))
    assert got.state is not AskState.NOT_FOUND or not any(e.certain for e in got.entries)


def test_a_kind_is_not_denied_as_a_fact_where_a_sentence_may_answer_in_other_words() -> None:
    words = "May they look at the other side's books and records?"
    looks = "4. Ledgers. A person sent by Quill Mill may look through the books that Drover Lines keeps."
    papers = {**PAPERS, "cartage.txt": f"{CARTAGE}\n{looks}\n"}
    one = room(papers, f"{BRIEF} {words}", (words, "fact"))
    [got] = answer_asks(one)
    [told] = [e for e in got.entries if e.document == "cartage.txt"]
    assert (told.state, told.certain) == (AskState.NOT_FOUND, False)
    assert "look through the books" in papers["cartage.txt"][told.nearest[0].start : told.nearest[0].end]
    strict = replace(one, settings=one.settings.model_copy(update={"denied_chance": 1.0}))
    [got] = answer_asks(strict)
    assert all(e.certain for e in got.entries)
