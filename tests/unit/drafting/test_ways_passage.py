"""Questions in natural words, answered by sentences: small papers of our own."""

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ways_papers import BOATYARD, CHANDLERY, MAIL, NoSearch, asked, room_of

from tasks.asks.records import Ask, AskKind, AskState
from tasks.drafting.extractive.ways import passage
from tasks.drafting.extractive.ways.finding import find
from tasks.drafting.extractive.ways.question import question_of
from tasks.drafting.extractive.ways.scoring import surety
from tasks.sources.records import Span


@pytest.mark.parametrize(
    ("words", "kind", "says"),
    [
        ("how much is the berth a month", "fact", "$310"),
        ("who mends the roof", "fact", "Yard shall mend the roof of the shed at its own cost"),
        ("what must she hand back", "list", "return the gate key"),
        ("on how much notice can they call it off", "fact", "40 days: “"),
        ("what happens if the sloop is not collected", "fact", "deemed abandoned"),
    ],
)
def test_a_question_is_answered_by_the_operative_words(words, kind, says):
    got = asked(words, kind)

    assert got.state is AskState.ANSWERED
    assert says in got.answer
    assert got.entries[0].support


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("may she varnish the sloop in the shed", "Yes: "),
        ("can she weld in the shed", "No: "),
        ("is consent required for an assignment to a member of the family", "No: "),
    ],
)
def test_yes_and_no_follow_what_the_clause_does(words, says):
    got = asked(words, "yes_no")

    assert got.answer.startswith(says)


def test_clauses_that_disagree_say_neither_yes_nor_no():
    got = asked("may she assign the agreement without consent", "yes_no")

    assert not got.answer.startswith(("Yes", "No"))
    assert "prior written consent" in got.answer
    assert "No consent is required" in got.answer


def test_a_day_is_counted_from_a_date_that_is_defined_elsewhere():
    got = asked("by when must the gate key be returned")

    assert "May 17, 2022" in got.answer
    assert len(got.entries[0].support) == 2  # the clause, and where the Signing Date is defined


def test_the_items_of_a_list_are_given_with_the_words_that_lead_to_them():
    got = asked("what do the rules forbid", "list")

    assert all(item in got.answer for item in ("petrol", "sleep on board", "gate open"))


def test_a_thing_that_no_paper_calls_by_its_names_is_denied_with_what_was_looked_for():
    got = asked("how many parking spaces does she get")

    assert got.state is AskState.NOT_FOUND
    assert "parking" in got.answer
    assert not got.entries[0].certain


def test_what_is_merely_said_in_unknown_words_is_left_open_and_not_denied():
    room = room_of(berth_txt=BOATYARD)
    got = asked("does the quoxing matter", "yes_no", room)

    assert got.state is AskState.NOT_ATTEMPTED
    assert "does the quoxing matter" in room.job.index.asked


def test_a_sentence_without_a_figure_is_no_answer_to_how_much():
    got = asked("how much does welding in the shed cost")

    assert not got.entries[0].certain


def test_what_papers_merely_tell_is_no_rule():
    room = room_of(mail_txt=MAIL)

    must = asked("must she insure the mast", "yes_no", room)
    may = asked("may she sell the dinghy", "yes_no", room)

    assert must.state is may.state is AskState.NOT_ATTEMPTED
    assert "needs the law" in must.entries[0].reason


class Search(NoSearch):
    """An index that finds one place first."""

    def __init__(self, text, words):
        at = text.index(words)
        self.best = SimpleNamespace(span=Span(document="berth.txt", start=at, end=at + len(words)))

    def search(self, query, k=8, documents=None):
        return [self.best]


def test_it_is_surer_of_a_fact_that_the_search_puts_first():
    def sure(first):
        room = room_of(berth_txt=BOATYARD)
        room.job.index = Search(BOATYARD, first)
        ask = Ask(ask_id="1", words="who mends the roof", start=0, end=18, kind="fact", subject="who mends the roof")
        parts = question_of(ask, room.cues, room.notions, room.lines.is_party)
        (found,) = find(parts, ask, ["berth.txt"], room)
        assert "mend the roof" in found.ranked[0].line.plain
        return surety(found.of, found.ranked, ["berth.txt"], room)

    assert sure("Yard shall mend the roof") > sure("Owner shall not weld")


def test_what_one_sentence_says_is_not_sure_where_another_about_as_likely_says_otherwise():
    alone, rival = room_of(berth_txt=BOATYARD), BOATYARD.replace("shed. Yard", "shed. Owner may weld in the shed. Yard")
    easy = alone.settings.model_copy(update={"sure_chance": 0.3})

    got = [
        asked("can she weld in the shed", "yes_no", room=replace(room, settings=easy)).entries[0]
        for room in (alone, room_of(berth_txt=rival))
    ]

    assert [e.certain for e in got] == [True, False]
    assert "may weld" in got[1].answer
    assert not got[1].answer.startswith(("Yes", "No"))


def test_what_a_doubtful_answer_may_need_is_quoted_behind_it_and_does_not_lead():
    room = room_of(berth_txt=BOATYARD)
    alone = {"sure_chance": 1.0, "rival_chance": 1.0, "beside_chance": 1.0}

    bare, more = (
        asked(
            "on how much notice can they call it off",
            "fact",
            room=replace(room, settings=room.settings.model_copy(update=u)),
        )
        for u in (alone, {**alone, "beside_chance": 0.0})
    )

    assert bare.answer.startswith("40 days: “")
    assert more.answer.startswith(bare.answer)
    assert more.answer.count("“") == 3
    assert not any(e.certain for e in (*bare.entries, *more.entries))


def test_what_is_sure_of_one_paper_is_not_so_of_a_sentence_beside_it_in_another():
    other = BOATYARD.replace("mend the roof of the shed", "mend the roof of the shed and of the office")
    room = room_of(a_txt=BOATYARD, b_txt=other)
    easy = replace(room, settings=room.settings.model_copy(update={"sure_chance": 0.3}))
    got = asked("who mends the roof", "list", room=easy)

    assert [e.certain for e in got.entries] == [True, False]


def test_a_question_that_denies_is_answered_by_the_words_alone():
    assert asked("is it so that she may not weld in the shed", "yes_no").answer.startswith("“")


def test_an_exception_for_what_is_asked_is_no_prohibition():
    words = "Owner shall not show the drawings to any person, other than to the sailmakers and riggers of the Owner."
    room = room_of(berth_txt=BOATYARD.replace("5. Rules.", f"5. {words}\n\n6. Rules."))

    got = asked("may she show the drawings to the sailmakers and riggers", "yes_no", room)

    assert "sailmakers" in got.answer
    assert not got.answer.startswith("No")


@pytest.mark.parametrize(
    ("more", "denied"),
    [("", True), (" Owner shall make good all damages.", False)],
)
def test_a_provision_is_denied_only_where_none_of_its_words_stands_in_the_papers(more, denied):
    room = room_of(berth_txt=BOATYARD.replace("at its own cost.", f"at its own cost.{more}"))

    got = asked("does it provide for liquidated damages", "yes_no", room)

    assert (got.state is AskState.NOT_FOUND) is denied
    assert denied or not any(e.state is AskState.ANSWERED and e.certain for e in got.entries)


def test_a_word_of_the_same_beginning_keeps_a_provision_from_being_denied():
    words = "is there a non-disparagement clause"
    hinted = BOATYARD.replace("at its own cost.", "at its own cost. Remarks disparaging the harbour are unwelcome.")

    assert asked(words, "yes_no").state is AskState.NOT_FOUND
    assert asked(words, "yes_no", room_of(berth_txt=hinted)).state is not AskState.NOT_FOUND


def test_each_paper_answers_for_itself_and_a_question_which_names_the_paper():
    papers = {"berth_txt": BOATYARD, "rope_txt": CHANDLERY}
    each = asked("governing notice", room=room_of(**papers), each=True, documents=("berth.txt", "rope.txt"))
    which = asked("which of them makes us keep drawings confidential", room=room_of(**papers))

    assert {e.document for e in each.entries} == {"berth.txt", "rope.txt"}
    assert "Chandlery" in which.answer
    assert "six years" in which.answer


def test_the_words_around_an_ask_tell_what_its_own_leave_unsaid():
    room = room_of(berth_txt=BOATYARD)
    words = "what can Fenwick do about it"
    ask = Ask(
        ask_id="1", words=words, start=0, end=len(words), kind=AskKind.FACT, subject=f"the sloop is abandoned; {words}"
    )

    got = passage.answer(ask, room)

    assert "abandoned" in got.answer
    assert not got.entries[0].certain
    assert passage.answer(ask.model_copy(update={"subject": words}), room) is None


def test_a_recital_does_not_answer():
    recital = "WHEREAS, Owner wishes to paint and varnish the sloop in the shed; and"
    room = room_of(berth_txt=BOATYARD.replace("1. Berth.", f"{recital}\n\n1. Berth."))

    assert not asked("may she varnish the sloop in the shed", "yes_no", room).answer.startswith("“WHEREAS")


def test_a_period_from_a_day_that_a_label_states_is_counted():
    closing = "Signing Date: May 2, 2022.\n\n1. Berth."
    paper = BOATYARD.replace('is made on May 2, 2022 (the "Signing Date")', "is made").replace("1. Berth.", closing)

    got = asked("last day to return the gate key", "calculation", room_of(berth_txt=paper))

    assert "May 17, 2022" in got.answer


def test_each_line_of_a_log_is_a_sentence():
    log = "- 2024-03-18 She complains in my office.\n- 2024-03-21 Written complaint.\n- 2024-03-25 I speak to him.\n"

    assert [u.text[:12] for u in room_of(log_txt=log).readings[0].units] == [f"- 2024-03-{d}" for d in (18, 21, 25)]
