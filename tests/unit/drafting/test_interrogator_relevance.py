"""What the papers do not speak of is not answered "to be verified"."""

import pytest

from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry
from tasks.drafting.interrogator.relevance import foreign, related
from tasks.legaltext.tokens import terms
from tasks.sources.records import Span

PAPERS = frozenset(terms("The tenant pays rent and keeps the premises within the limits of use."))
PLACE = Span(document="a.txt", start=0, end=9)
POOL = "How many penguins swim in the pool of the premises?"


def said(words: str, *entries: Entry, known: float = 0.6) -> AskAnswer:
    ask = Ask(ask_id="1", kind=AskKind.FACT, words=words, subject=words, start=0, end=len(words))
    got = AskAnswer(ask_id="1", state=AskState.ANSWERED, answer="line", entries=entries)
    return related(ask, got, PAPERS, {"salary": ("rent",)}, known)


def entry(**changes: object) -> Entry:
    base = {"state": AskState.ANSWERED, "answer": "“the premises”", "support": (PLACE,), "certain": False}
    return Entry.model_validate({**base, **changes})


def test_a_doubtful_answer_to_something_else_is_denied_with_the_words_that_no_paper_has():
    got = said(POOL, entry())
    assert got.state is AskState.NOT_FOUND
    (denied,) = got.entries
    assert "“penguins”, “pool”" in denied.answer
    assert (denied.nearest, denied.searched) == ((PLACE,), (POOL,))


@pytest.mark.parametrize(
    ("words", "changes"),
    [
        ("What rent does the tenant pay?", {}),
        ("How quietly may people use the premises?", {}),
        (POOL, {"certain": True}),
        (POOL, {"basis": "2 + 2"}),
        ("What salary?", {}),
    ],
)
def test_what_the_papers_speak_of_what_is_certain_and_what_was_computed_stays(words, changes):
    assert said(words, entry(**changes)).entries == (entry(**changes),)


def test_what_is_understood_of_a_question_need_stand_in_no_paper():
    ask = Ask(ask_id="1", kind=AskKind.FACT, words=POOL, subject=POOL, start=0, end=len(POOL))
    got = AskAnswer(ask_id="1", state=AskState.ANSWERED, answer="line", entries=(entry(),))
    assert related(ask, got, PAPERS, {}, 0.6, terms("penguins pool")) == got
    assert related(ask, got, PAPERS, {}, 0.6, terms("rent")) != got


def test_of_several_answers_the_certain_one_stays():
    got = said(POOL, entry(), entry(certain=True))
    assert got.entries == (entry(certain=True),)
    assert got.state is AskState.ANSWERED


def test_the_share_decides():
    assert foreign("penguins of the premises", PAPERS, {}) == (["penguins"], 0.5)
    assert said("penguins of the premises", entry()).state is AskState.NOT_FOUND
    assert said("penguins of the premises", entry(), known=0.5).state is AskState.ANSWERED
    assert foreign("of the", PAPERS, {}) == ([], 1.0)


def test_without_a_noun_all_words_count():
    assert foreign("how quietly", PAPERS, {}) == (["quietly"], 0.0)
