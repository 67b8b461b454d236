"""A dialogue on one agreement: what plainly is not there, clauses found by their kind, pronouns of later questions."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_interrogator import Silent
from ways_room import room

from tasks.asks.records import AskState
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.interrogator.interview import Interview
from tasks.drafting.interrogator.kinds import KIND
from tasks.drafting.interrogator.papers import OpenPapers
from tasks.retrieval.research.records import Answer, Method, Search, Statement
from tasks.sources.records import Span

SALE = """DISTRIBUTION AGREEMENT

This Distribution Agreement is made on May 4, 2020 between Harbor Tools Ltd ("Supplier") and Pine Stores Inc.
("Distributor").

1. Appointment

1.1 The Supplier appoints the Distributor as its non-exclusive distributor of the Products in Ohio.

1.2 The Distributor shall allow the Supplier the exclusive conduct of any proceedings about the Products.

2. Term

2.1 This agreement shall continue for two years and thereafter until terminated by either party giving at least six
months' prior written notice.

3. Payment

3.1 The Distributor shall pay each invoice within thirty days of its date.

4. Stock

4.1 On termination of this agreement the Supplier may buy back all unsold stock of Products at cost.
"""


@pytest.fixture(scope="module")
def papers():
    return OpenPapers(room({"sale.txt": SALE}, "").job, lambda _: Interview(researcher=Silent()))


def asked(papers, question, *earlier):
    return papers.ask(question, len(earlier) + 1, Transcript(), earlier=earlier)[0]


def entry(exchange):
    (answer,) = exchange.answers
    return answer.entries[0]


def words(span):
    return " ".join(SALE[span.start : span.end].split())


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Is there a cap on either party's liability?", "cap on liability"),
        ("Must the distributor buy a minimum quantity?", "minimum commitment"),
    ],
)
def test_that_a_kind_of_clause_is_not_there_is_said_plainly(papers, question, kind):
    said = entry(asked(papers, question))
    assert said.state is AskState.NOT_FOUND
    assert said.answer == f"no clause of the kind “{kind}” was found"
    assert said.searched
    assert not said.certain


def test_what_rules_a_kind_of_clause_out_stands_nearest_to_its_denial(papers):
    said = entry(asked(papers, "Is the distributorship exclusive?"))
    assert said.state is AskState.NOT_FOUND
    assert "non-exclusive distributor" in words(said.nearest[0])


def test_a_clause_is_found_by_its_kind_and_quoted_in_its_own_words(papers):
    said = entry(asked(papers, "How can the agreement be ended without cause?"))
    assert said.state is AskState.ANSWERED
    assert said.note == KIND
    assert "until terminated by either party giving" in said.answer
    assert said.answer.startswith("“")
    assert not said.certain


def test_a_question_that_is_not_surely_after_a_kind_of_clause_is_denied_nothing(papers):
    said = entry(asked(papers, "What colour are the boxes?"))
    assert "of the kind" not in said.answer


def test_a_sentence_that_shares_words_is_not_called_a_clause_of_the_kind():
    at = SALE.index("1.2 The Distributor")
    span = Span(document="sale.txt", start=at, end=SALE.index("\n\n2. Term"))

    class Sharing:
        def answer(self, question):
            told = Statement(text=words(span), spans=(span,), method=Method.HYBRID)
            look = Search(method=Method.HYBRID, query=question.text)
            return Answer(question=question, state="answered", statements=(told,), searches=(look,))

    papers = OpenPapers(room({"sale.txt": SALE}, "").job, lambda _: Interview(researcher=Sharing()))
    said = entry(asked(papers, "Is the distributorship exclusive?"))
    assert said.state is AskState.NOT_FOUND


def test_what_happens_when_something_ends_asks_for_no_day(papers):
    said = entry(asked(papers, "What happens to unsold stock when the agreement ends?"))
    assert "2022" not in said.answer
    assert any("buy back all unsold stock" in words(s) for s in (*said.support, *said.nearest))


def test_a_pronoun_stands_for_a_thing_of_the_question_before(papers):
    first = asked(papers, "Must the distributor buy a minimum quantity?")
    second = asked(papers, "What happens if it pays late?", first)
    assert [a.subject for a in second.asks.asks] == ["What happens if the distributor pays late"]
    assert second.asks.brief == "What happens if it pays late?"
    third = asked(papers, "Can it cure that?", first, second)
    assert third.asks.asks[0].subject.startswith("Can the distributor cure")
    unnamed = asked(papers, "Can either party get out without cause?", first)
    assert asked(papers, "Must it give notice?", first, unnamed).asks.asks[0].subject == "Must it give notice"
    alone = asked(papers, "What happens if it pays late?")
    assert [a.subject for a in alone.asks.asks] == ["What happens if it pays late"]


def test_a_whole_question_is_not_about_the_one_before(papers):
    first = asked(papers, "Who bears the risk while the goods are in transit?")
    second = asked(papers, "What happens to unsold stock when the agreement ends?", first)
    assert [a.subject for a in second.asks.asks] == ["What happens to unsold stock when the agreement ends"]
    short = asked(papers, "And by when?", first)
    assert "risk" in short.asks.asks[0].subject
