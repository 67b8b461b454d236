"""What harness versions that part in their provisions alone share of a matter: read once, and the same as read anew."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from extractive_samples import SUPPLY, canonical
from ways_papers import BOATYARD, room_of

from tasks.asks.records import Ask, AskKind
from tasks.drafting.extractive import reading as readings
from tasks.drafting.extractive.reading import read
from tasks.drafting.extractive.ways.finding import asked_documents, find
from tasks.drafting.extractive.ways.question import question_of
from tasks.drafting.extractive.ways.weighing import Lines
from tasks.harness import packaged

KNOWN = packaged().knowledge
KNOWN.load_all()  # what is not loaded yet, no version can share


def supply(knowledge=KNOWN, text=SUPPLY, state=None):
    return read(canonical(text), state, None, knowledge)


def other_provisions():
    return KNOWN.with_provisions_of(KNOWN.folder)


def found_for(words, room):
    ask = Ask(ask_id="1", words=words, start=0, end=len(words), kind=AskKind.FACT, subject=words)
    parts = question_of(ask, room.cues, room.notions, room.lines.is_party)
    return find(parts, ask, asked_documents(ask, room), room)[0].ranked


def test_versions_that_part_in_their_provisions_alone_share_a_reading():
    assert supply(other_provisions()) is supply()


@pytest.mark.parametrize(
    "other",
    [
        {"vocabulary": replace(KNOWN.vocabulary)},
        {"jurisdictions": dict(KNOWN.jurisdictions)},
        {"questions": (*KNOWN.questions[1:], KNOWN.questions[0])},
    ],
    ids=lambda other: next(iter(other)),
)
def test_a_reading_is_made_anew_for_other_words(other):
    known = KNOWN.with_families(**other)

    assert supply(known) is not supply()


def test_a_reading_is_made_anew_for_another_text_of_the_same_name():
    assert supply(text=SUPPLY.replace("flour", "grain")).text.text != supply().text.text


def test_of_readings_those_asked_for_last_are_kept():
    kept = readings._Remembered(2 * len(supply().units))
    for name in ("one", "two", "one", "three"):
        if kept.get((name,)) is None:
            kept.keep((name,), readings._Read(None, (), supply()))

    assert [kept.get((name,)) is not None for name in ("one", "two", "three")] == [True, False, True]


def test_sentences_are_weighed_once_for_a_question_and_found_alike(monkeypatch):
    weighed = []
    monkeypatch.setattr(Lines, "weighed", lambda self, *of, was=Lines.weighed: weighed.append(of) or was(self, *of))
    question = "how much is the berth a month by the tide"  # that no other test asks
    first, again = (found_for(question, room_of(berth_txt=BOATYARD)) for _ in range(2))

    assert len(weighed) == 1
    assert [(w.line.place, w.chance) for w in again] == [(w.line.place, w.chance) for w in first]


def test_what_was_weighed_is_not_taken_for_other_documents_of_the_room():
    room = room_of(berth_txt=BOATYARD, other_txt=BOATYARD.replace("$310", "$999"))
    words = "how much is the berth a month"
    ask = Ask(ask_id="1", words=words, start=0, end=len(words), kind=AskKind.FACT, subject=words)
    parts = question_of(ask, room.cues, room.notions, room.lines.is_party)
    told = [find(parts, ask, [name], room)[0].ranked[0].line.plain for name in ("berth.txt", "other.txt")]

    assert "$310" in told[0]
    assert "$999" in told[1]
