"""The scorer of answers: chances that sum to one with none, and weights within what their signals can mean."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

sys.path.insert(0, str(Path(__file__).parent))

from ways_papers import BOATYARD, CHANDLERY, room_of

from knowledge_db.answers import SentenceWeights
from tasks.asks.records import Ask, AskKind
from tasks.drafting.extractive.ways.finding import asked_documents, find
from tasks.drafting.extractive.ways.question import question_of
from tasks.drafting.extractive.ways.scoring import agreeing
from tasks.harness import packaged


def found_for(words, room, kind="fact", **more):
    ask = Ask(ask_id="1", words=words, start=0, end=len(words), kind=AskKind(kind), subject=words, **more)
    parts = question_of(ask, room.cues, room.notions, room.lines.is_party)
    return find(parts, ask, asked_documents(ask, room), room)[0]


def test_the_chances_of_all_sentences_and_of_none_make_one():
    found = found_for("how much is the berth a month", room_of(berth_txt=BOATYARD))
    chances = [w.chance for w in found.ranked]

    assert chances == sorted(chances, reverse=True)
    assert 0.9 < sum(chances) < 1.0
    assert "$310" in found.ranked[0].line.plain


def test_of_what_no_paper_tells_none_is_likely():
    room = room_of(berth_txt=BOATYARD)

    assert found_for("when was the zeppelin insured", room).best < found_for("who mends the roof", room).best


def test_another_paper_than_the_one_asked_about_is_read_and_counts_less():
    room = room_of(berth_txt=BOATYARD, rope_txt=CHANDLERY)
    words = "how much is a metre of braided rope"
    named, other = (found_for(words, room, documents=(name,)).ranked[0] for name in ("rope.txt", "berth.txt"))

    assert named.line.place == other.line.place  # it stands in one paper, whichever is asked about
    assert named.chance > other.chance


def test_a_weight_acts_and_none_may_turn_what_its_signal_means():
    room = room_of(berth_txt=BOATYARD)
    known = packaged().knowledge.answers
    bold = known.model_copy(update={"sentence": known.sentence.model_copy(update={"no_figure": 0.0})})
    changed = room.knowledge.with_families(answers=bold)
    room_of_bold = room_of(berth_txt=BOATYARD)
    room_of_bold.job.harness = replace(packaged(), knowledge=changed)

    assert found_for("how much is the crane", room).best != found_for("how much is the crane", room_of_bold).best
    with pytest.raises(ValidationError):
        SentenceWeights.model_validate({**known.sentence.model_dump(), "no_figure": 0.5})


@pytest.mark.parametrize(("said", "chance"), [(("a", "a", "b"), 0.8), (("a", "b", "b"), 0.5)])
def test_sentences_that_say_the_same_stand_together(said, chance):
    assert agreeing([0.5, 0.3, 0.1], said, 0) == pytest.approx(np.log(chance / (1 - chance)))
