"""In time or not: the last day of a period against the day on which something was done, and what stays open."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ways_room import room

from tasks.asks.records import AskState
from tasks.drafting.extractive.ways.registry import answer_asks
from tasks.drafting.extractive.ways.timely import answer

SUPPLY = """SUPPLY AGREEMENT

This Supply Agreement is made as of March 1, 2024 between Alder Works LLC ("Seller") and Quern Mills Inc. ("Buyer").

1. Delivery. The looms were delivered to Buyer on May 6, 2024.

2. Defects. Buyer shall give notice of defects within 14 days after delivery of the looms.

3. Colour. Seller shall paint the looms green.
"""
QUESTION = "Was the notice of defects given in time"


def mail(words, day):
    head = f"From: Otto Lund <otto@quernmills.example>\nTo: Dana Reyes <dana@alderlooms.example>\nDate: {day}"
    return f"{head}\nSubject: Looms\n\n{words}\n"


def timely(papers, words=QUESTION):
    made = room(papers, f"{words}?", (words, "fact"))
    return answer(made.job.asks.asks[0], made)


@pytest.mark.parametrize(
    ("day", "said", "long"),
    [
        ("Mon, 13 May 2024", "Yes", "May 13, 2024"),
        ("Mon, 20 May 2024", "Yes", "May 20, 2024"),  # the last day itself
        ("Tue, 21 May 2024", "No", "May 21, 2024"),
    ],
)
def test_a_message_that_gives_notice_does_so_on_its_own_day(day, said, long):
    made = timely({"supply.txt": SUPPLY, "notice.eml": mail("We hereby give notice of defects of the looms.", day)})
    (entry,) = made.entries
    assert entry.answer == f"{said}: the last day was May 20, 2024; it was done on {long}"
    assert entry.certain is False
    assert {s.document for s in entry.support} == {"supply.txt", "notice.eml"}


@pytest.mark.parametrize(("day", "said"), [("May 17, 2024", "Yes"), ("June 3, 2024", "No")])
def test_a_day_that_the_request_tells_is_the_day_of_the_act(day, said):
    made = timely({"supply.txt": SUPPLY}, f"Was the notice of defects of {day} given in time")
    assert made.entries[0].answer.startswith(f"{said}: the last day was May 20, 2024; it was done on {day}")


@pytest.mark.parametrize(
    "papers",
    [
        {"supply.txt": SUPPLY},  # nobody says when it was done
        {  # two days on which it may have been done
            "supply.txt": SUPPLY,
            "a.eml": mail("We hereby give notice of defects of the looms.", "Mon, 13 May 2024"),
            "b.eml": mail("We hereby give notice of defects of the looms.", "Mon, 27 May 2024"),
        },
        {  # asked for, not done
            "supply.txt": SUPPLY,
            "a.eml": mail("Please give notice of defects of the looms.", "Mon, 13 May 2024"),
        },
        {  # another event
            "supply.txt": SUPPLY,
            "a.eml": mail("The green paint has dried well.", "Mon, 13 May 2024"),
        },
        {  # no period
            "supply.txt": SUPPLY.replace(" within 14 days after delivery of the looms", " of the looms"),
            "a.eml": mail("We hereby give notice of defects of the looms.", "Mon, 13 May 2024"),
        },
        {  # no day from which it runs
            "supply.txt": SUPPLY.replace("were delivered to Buyer on May 6, 2024", "are delivered to Buyer"),
            "a.eml": mail("We hereby give notice of defects of the looms.", "Mon, 13 May 2024"),
        },
    ],
    ids=["no day", "two days", "asked for", "another event", "no period", "no start"],
)
def test_nothing_is_said_where_a_day_or_the_period_is_missing(papers):
    assert timely(papers) is None


def test_a_notice_that_was_not_given_is_none():
    papers = {
        "supply.txt": SUPPLY,
        "a.eml": mail("We have not given notice of defects of the looms.", "Mon, 13 May 2024"),
    }
    assert timely(papers) is None


def test_a_question_that_asks_for_no_time_is_left_to_others():
    papers = {"supply.txt": SUPPLY, "a.eml": mail("We hereby give notice of defects.", "Mon, 13 May 2024")}
    assert timely(papers, "Was the notice of defects given") is None


def test_the_ways_answer_it():
    papers = {"supply.txt": SUPPLY, "a.eml": mail("We hereby give notice of defects of the looms.", "Tue, 21 May 2024")}
    made = answer_asks(room(papers, f"{QUESTION}?", (QUESTION, "fact")))[0]
    assert made.state is AskState.ANSWERED
    assert made.answer.startswith("No: the last day was May 20, 2024")


ACCEPTED = """LICENSE AGREEMENT

This License Agreement is made as of March 1, 2024 between Alder Works LLC ("Licensor") and Quern Mills Inc. \
("Licensee").

1. Term. The term of this License Agreement ends on the third anniversary of the Acceptance Date.

2. Acceptance. The "Acceptance Date" is the day on which Licensee accepts the software in writing.
"""


@pytest.mark.parametrize("words", ["When does the term end"])
def test_a_term_runs_from_the_day_that_its_clause_names(words):
    told = ACCEPTED.replace("is the day on which Licensee accepts the software in writing", "is June 10, 2024")
    entry = answer_asks(room({"licence.txt": told}, f"{words}?", (words, "calculation")))[0].entries[0]
    assert entry.day == "2027-06-10"
    entry = answer_asks(room({"licence.txt": ACCEPTED}, f"{words}?", (words, "calculation")))[0].entries[0]
    assert not entry.day  # never the day of the agreement


RELEASE = """SEPARATION AGREEMENT

This Separation Agreement is made as of March 1, 2024 between Alder Works LLC ("Company") and Otto Lund ("Employee").
Employee received this Separation Agreement on March 4, 2024.

1. Time. Employee has twenty-one days after receipt of this Separation Agreement to sign it, and Company shall pay the \
severance within nine months after receipt of this Separation Agreement.
"""


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("By when must Employee sign the Separation Agreement", "2024-03-25"),
        ("By when must Company pay the severance", "2024-12-04"),
    ],
)
def test_a_period_belongs_to_its_own_clause_of_a_sentence(words, day):
    entry = answer_asks(room({"release.txt": RELEASE}, f"{words}?", (words, "calculation")))[0].entries[0]
    assert entry.day == day
