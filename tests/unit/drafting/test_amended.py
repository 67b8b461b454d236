"""Sentences that an amendment replaces, rewords or strikes by the number of their clause: the amendment leads."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ways_room import room

from tasks.asks.records import AskAnswer, AskState, Entry
from tasks.drafting.extractive.render.plan import Craft, told_in
from tasks.drafting.extractive.ways.as_amended import heeding_amendments
from tasks.drafting.extractive.ways.registry import answer_asks
from tasks.drafting.extractive.ways.stated import span_of

SUPPLY = """SUPPLY AGREEMENT

This Supply Agreement is made on March 1, 2023 between Harrow Foods, Inc., a Delaware corporation ("Buyer"), and \
Brightwell Packaging LLC, an Ohio limited liability company ("Supplier").

3. Price. The price of the Cartons is $0.84 per carton.

4. Minimum. Buyer shall buy at least 500,000 Cartons in each contract year.

7. Payment. Invoices are due forty-five (45) days after the invoice date. Late amounts bear interest at 1% per month.

10. Force majeure. Neither party is liable for delay caused by events beyond its reasonable control. A shortage of raw \
materials is not such an event.

12. Assignment. Supplier shall not assign this Agreement without the consent of Buyer.
"""
AMENDMENT = """FIRST AMENDMENT TO SUPPLY AGREEMENT

Dated June 10, 2024, between Harrow Foods, Inc. and Brightwell Packaging LLC.

1. {change}

2. Except as amended, the Supply Agreement remains in full force.
"""
PRICE = 'Section 3 is amended to read: "The price of the Cartons is $0.91 per carton."'
DAYS = 'Section 7 is amended by replacing "forty-five (45) days" with "sixty (60) days".'
STRUCK = "Section 10 is amended by deleting its second sentence."


def amended(change):
    papers = {"supply.txt": SUPPLY, "amendment.txt": AMENDMENT.format(change=change)}
    return room(papers, "What?", ("What", "fact"))


def done(change):
    made = amended(change)
    text = {r.document: r.text.text for r in made.readings}
    return [(text[d][s : s + 20], a.old[:20], a.new) for (d, s), a in made.amended.items()]


@pytest.mark.parametrize(
    ("change", "count", "new"),
    [
        (PRICE, 1, "The price of the Cartons is $0.91 per carton."),
        (DAYS, 1, "sixty (60) days"),
        (STRUCK, 1, ""),
        ("Section 10 is hereby deleted in its entirety.", 3, ""),
        ("Section 4 is amended so that the minimum quantity is 650,000 Cartons.", 1, None),
        ("Section 17 is hereby deleted.", 0, None),
        ("The parties met under Section 4 and agreed on nothing.", 0, None),
    ],
)
def test_an_amendment_is_read_by_the_number_of_the_clause(change, count, new):
    found = done(change)
    assert len(found) == count
    assert all(a[2] == new for a in found)


def test_the_sentence_that_is_struck_is_the_one_that_is_named():
    assert done(STRUCK)[0][0].startswith("A shortage of raw")


def entries(change, words, kind="fact"):
    made = room({"supply.txt": SUPPLY, "amendment.txt": AMENDMENT.format(change=change)}, f"{words}?", (words, kind))
    told = told_in(made, answer_asks(made), Craft())
    got = next(iter(told.answers.values()))
    assert got.state is AskState.ANSWERED
    return got.entries


@pytest.mark.parametrize(
    ("change", "words", "lead"),
    [
        (DAYS, "How many days after the invoice date are invoices due", "60 days: "),
        (PRICE, "What is the price of the Cartons per carton", "$0.91"),
    ],
)
def test_the_amendment_leads_and_the_old_words_are_told_as_such(change, words, lead):
    first, *others = entries(change, words)
    assert first.document == "amendment.txt"
    assert first.answer.startswith(lead)
    if others:  # a value that stands in both papers is set against the other
        assert all(e.note.startswith("Changed to") for e in others)
    else:
        assert [s.document for s in first.support] == ["amendment.txt", "supply.txt"]
        assert "which stood before" in first.note


def test_what_is_not_amended_is_answered_as_before():
    assert [
        e.document for e in entries(DAYS, "May Supplier assign the Agreement without consent of Buyer", "yes_no")
    ] == ["supply.txt"]


def test_an_amendment_without_obligations_is_an_instrument_of_its_deal():
    made = amended(DAYS)
    assert all(r.identity.agreement for r in made.readings)
    assert len(made.deals) == 1


def test_a_struck_sentence_that_is_quoted_behind_an_answer_is_told_to_be_struck():
    made = amended(STRUCK)
    units = next(r for r in made.readings if r.document == "supply.txt").units
    first = next(u for u in units if u.text.startswith("Neither party is liable"))
    second = next(u for u in units if u.text.startswith("A shortage"))
    entry = Entry(
        document="supply.txt",
        state=AskState.ANSWERED,
        answer=f"“{first.text}”",
        support=(span_of(first), span_of(second)),
    )
    answer = AskAnswer(ask_id="1", state=AskState.ANSWERED, entries=(entry,))
    kept, struck = heeding_amendments([answer], made)[0].entries
    assert kept == entry
    assert "deleting its second sentence" in struck.answer
    assert struck.certain is False
