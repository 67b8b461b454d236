"""An answer is matched to what is asked: who acts, when, on what condition, and what else comes as near."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ways_room import room

from tasks.asks.records import AskState
from tasks.drafting.extractive.ways.matching import asserted
from tasks.drafting.extractive.ways.registry import answer_asks

FERRY = """FERRY CHARTER AGREEMENT

This Ferry Charter Agreement is made as of May 4, 2020 between Gannet Lines LLC ("Gannet") and Osprey Tours Inc. \
("Osprey").

1. Grant. Gannet grants Osprey a nonexclusive and nontransferable right to sell tickets for the ferry Petrel.

2. Indemnity. Osprey shall indemnify Gannet against every claim of a passenger.

3. Bonus. The punctuality bonus is 4 percent of the ticket revenue of each season.

4. Moorings. If Osprey is not the sole keeper of the moorings, Gannet shall insure the pontoon.

5. Berths. Osprey shall report a damaged lantern within six days. Gannet shall replace a damaged lantern within nine \
days.

6. Arbitration. A dispute is referred to the arbitrator. The place of any arbitration is Astoria.

7. Purser. The Chief Purser keeps the cash. Osprey employs a purser, Brannoc Tolland.

8. Data. Osprey will never sell passenger records.
"""
OFFER = """OFFER NO. 3 - KELP LAUNDRY

To: the Infirmary

Price: fixed for the first 24 months.
Minimum: 900 pounds per month.
"""


def first(words, kind="fact", paper=FERRY):
    made = answer_asks(room({"ferry.txt": paper}, f"We act for Osprey. {words}?", (words, kind)))[0]
    return made.entries[0]


@pytest.mark.parametrize(
    ("words", "kind", "said"),
    [
        ("What punctuality bonus was paid on the ticket revenue", "fact", "4 percent"),
        ("Does Gannet indemnify Osprey against every claim of a passenger", "yes_no", "Osprey shall indemnify"),
        ("Is Osprey the sole keeper of the moorings", "yes_no", "sole keeper"),
    ],
)
def test_what_is_said_of_another_time_actor_or_case_is_to_be_verified(words, kind, said):
    entry = first(words, kind)

    assert said in entry.answer
    assert not entry.certain
    assert not entry.answer.startswith(("Yes", "No"))


def test_the_same_said_of_the_one_who_is_asked_about_is_sure():
    assert first("Does Osprey indemnify Gannet against every claim of a passenger", "yes_no").certain


def test_two_periods_that_answer_alike_are_both_shown_and_neither_is_a_fact():
    entry = first("How many days are there for a damaged lantern")

    assert not entry.certain
    assert "six days" in entry.answer
    assert "nine days" in entry.answer


@pytest.mark.parametrize(
    "words", ["Is the right to sell tickets exclusive", "Is the right to sell tickets for the ferry transferable"]
)
def test_a_word_that_denies_what_is_asked_answers_no(words):
    assert first(words, "yes_no").answer.startswith("No: ")


def test_never_is_a_denial():
    assert first("Does Osprey sell passenger records", "yes_no").answer.startswith("No: ")


def test_where_is_answered_by_a_place():
    assert "Astoria" in first("Where does an arbitration take place").answer


def test_a_name_is_wanted_and_no_defined_term():
    assert "Brannoc Tolland" in first("Who is the purser").answer


def test_an_offer_that_no_provision_meets_is_searched_and_not_denied():
    entry = first("monthly minimum", paper=OFFER)

    assert entry.state is AskState.ANSWERED
    assert "900 pounds" in entry.answer


def test_what_is_said_on_a_condition_is_left_out():
    assert asserted("If the mast breaks, Owner shall pay.").strip(" ,") == "Owner shall pay."
