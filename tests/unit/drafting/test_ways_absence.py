"""What papers say nothing of, and the thing that a question is after."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ways_papers import BOATYARD, asked, room_of

from tasks.asks.records import Ask, AskKind, AskState
from tasks.drafting.extractive.ways import posed
from tasks.drafting.extractive.ways.focus import focus_of


@pytest.mark.parametrize(
    ("question", "words", "called"),
    [
        ("How many parking spaces come with the suite", ("parking", "spaces"), "parking spaces"),
        ("what insurance must the tenant carry", ("insurance",), "insurance"),
        ("Also, who is the judge", ("judge",), "judge"),
        ("is there any cap on further purchases", ("cap",), "cap"),
        ("does the lease say anything about pets", ("pets",), "pets"),
        ("does either sheet provide for drag-along", ("drag-along",), "drag-along"),
        ("who pays the lawyers if it comes to a fight", ("lawyers",), "lawyers"),
        ("balance of the relocation loan", ("balance",), "balance of the relocation loan"),
        ("may she sublet the shed", (), ""),
        ("", (), ""),
    ],
)
def test_the_thing_that_a_question_is_after(question, words, called):
    assert (focus_of(question).words, focus_of(question).called) == (words, called)


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("which dentist does the yard send", "“dentist”"),
        ("how many elephants may she keep", "“elephants”"),
        ("does it say anything about cryptocurrency", "“cryptocurrency”"),
    ],
)
def test_a_thing_that_no_word_of_the_papers_is_like_is_not_found_and_to_be_verified(question, thing):
    got = asked(question)

    assert got.state is AskState.NOT_FOUND
    assert thing in got.answer
    assert not got.entries[0].certain
    assert got.entries[0].searched
    assert got.entries[0].nearest


@pytest.mark.parametrize("question", ["which boat is stored", "what does it say about painting", "who mends the roof"])
def test_a_thing_that_papers_call_otherwise_is_not_denied(question):
    assert asked(question).state is not AskState.NOT_FOUND


def test_no_value_is_stated_where_the_sentences_on_the_thing_hold_none():
    blank = BOATYARD.replace("$310 a month for the berth and", "$______ a month for the berth and")
    question = "how much does Yard pay to mend the roof of the shed"

    assert asked(question, room=room_of(berth_txt=blank)).answer.startswith("no amount is stated")
    assert asked("how much is the berth a month").state is AskState.ANSWERED


def test_a_share_of_a_sum_says_how_much():
    shared = BOATYARD.replace(
        "mend the roof of the shed at its own cost", "mend the roof of the shed and pay 40% of it"
    )

    got = asked("how much does Yard pay to mend the roof of the shed", room=room_of(berth_txt=shared))

    assert got.state is AskState.ANSWERED


@pytest.mark.parametrize(
    "question", ["Which dentist does Yard send", "How much does Seller pay for the exclusive right to sell rope"]
)
def test_a_question_for_what_no_clause_holds_is_not_read_as_one_for_a_kind_of_clause(question):
    exclusive = "1. Exclusivity. Seller grants Buyer the exclusive right to sell rope."
    papers = {f"{n}_txt": BOATYARD.replace("1. Berth.", f"{exclusive}\n\n2. Berth.") for n in ("one", "two")}
    room = room_of(**papers)
    ask = Ask(ask_id="1", words=question, start=0, end=len(question), kind=AskKind.FACT, subject=question)
    got = posed.answer(ask, room)

    assert got is None or all(not e.topic for e in got.entries)
