"""Which documents an ask is put to, and which are set aside with a true reason."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from extractive_samples import SUPPLY, Nowhere, asks_for, canonical, reading, settings

from tasks.asks.records import AskState
from tasks.drafting.extractive.identity import identify
from tasks.drafting.extractive.ownership import NO_TERMS, NOT_OURS, UNUSED
from tasks.drafting.extractive.render.plan import told_of
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.extractive.ways.provision import answer
from tasks.harness import packaged
from tasks.matter.records import Matter

OTHER = SUPPLY.replace("Lantern Foods LLC", "Birch Foods LLC")
LETTER = "Dear Petra Lindqvist,\n\nHill Vintners offers forty tons of Riesling to Petra Lindqvist at harvest time.\n"
NOTE = "Note to file\n\nHarbour Mills, Inc. sent the keys of the silo by courier; nothing else was in the parcel.\n"


def room(brief, points, texts, **changes):
    asks = asks_for(brief, points, **changes)
    matter = Matter(matter_id="m", title="", area="", instructions=brief, deliverables=(), documents=())
    state = SimpleNamespace(coverage=(), documents=())
    job = SimpleNamespace(
        matter=matter, harness=packaged(), asks=asks, index=Nowhere(), state=state,
        texts={n: canonical(t, n) for n, t in texts.items()},
    )  # fmt: skip
    return Room(job, [reading(t, n) for n, t in texts.items()], settings(), Transcript())


PAPERS = {"a.txt": SUPPLY, "b.txt": OTHER, "letter.txt": LETTER}


def test_a_stranger_is_left_out_of_a_question_but_not_of_one_for_each_document():
    brief = "For each document give the governing law."
    made = room(brief, ["For each document give the governing law"], PAPERS)
    assert [r.document for r in made.of(made.job.asks.asks[0])] == ["a.txt", "b.txt", "letter.txt"]
    made = room("What is the governing law?", ["What is the governing law?"], PAPERS, each=False)
    assert [r.document for r in made.of(made.job.asks.asks[0])] == ["a.txt", "b.txt"]


def test_papers_of_which_none_knows_the_other_are_no_strangers():
    one = "Privacy of Acme\n\nAcme Widgets keeps the records of its users for as long as Acme Widgets likes to.\n"
    two = "Privacy of Bolt\n\nBolt Couriers keeps the records of its users for as long as Bolt Couriers likes to.\n"
    made = room("How long are records kept?", ["How long are records kept?"], {"a.txt": one, "b.txt": two})
    assert made.strangers == []


@pytest.mark.parametrize("words", ["governing law", "note its governing law", "give me the governing law"])
def test_a_thing_is_known_by_its_name_behind_a_request_too(words):
    made = room(f"Review each agreement for exclusivity, {words}.", [words], {"a.txt": SUPPLY})
    got = answer(made.job.asks.asks[0], made)
    assert [e.answer for e in got.entries] == ["Ohio"]
    assert got.answer == ""  # the rendering tells the line


def test_each_document_that_is_set_aside_has_its_own_reason():
    brief = "For each agreement give the governing law. What is the duty of Lantern Foods LLC?"
    made = room(brief, ["governing law"], {**PAPERS, "note.txt": NOTE})
    told = told_of(made.job, made.readings, settings(), Transcript())
    assert dict(told.set_aside) == {"letter.txt": NOT_OURS, "note.txt": NO_TERMS}
    assert [a.state for a in told.answers.values()] == [AskState.ANSWERED]


def test_an_agreement_on_which_no_answer_rests_is_said_to_be_searched():
    law = OTHER.replace("4.3 Governing Law. This Agreement shall be governed by", "4.3 Nothing is").partition("4.3")[0]
    made = room("What is the governing law?", ["governing law"], {"a.txt": SUPPLY, "b.txt": law}, each=False)
    told = told_of(made.job, made.readings, settings(), Transcript())
    assert dict(told.set_aside) == {"b.txt": UNUSED}


def test_what_calls_itself_a_contract_is_an_agreement():
    text = "PPB AND OTA\n\nThis contract replaces the annex. Sicap shall maintain. Sicap shall support. Sicap agrees.\n"
    assert identify(canonical(text), {}).agreement
    assert not identify(canonical(text.replace("This contract", "This notice")), {}).agreement
