"""How a question is read: its parts, what they want, the notions they are about; what a clause says to it."""

import pytest

from tasks.asks.cues import cues_of
from tasks.drafting.extractive.ways.kinds import holds, values
from tasks.drafting.extractive.ways.notions import Notions
from tasks.drafting.extractive.ways.polarity import Stance, answer_to, pose_of, stance_of, turns
from tasks.drafting.extractive.ways.question import parts_of
from tasks.drafting.extractive.ways.weighing import Lines
from tasks.harness import packaged
from tests.unit.drafting.extractive_samples import reading

KNOWN = packaged().knowledge
CUES, NOTIONS = cues_of(KNOWN), Notions(KNOWN.vocabulary)


def notion(words):
    ((found,),) = [p.notions for p in parts_of(words, CUES, NOTIONS)]
    return found


@pytest.mark.parametrize(
    ("said", "text", "met"),
    [
        ("rode", "nobody may ride", True),
        ("poach", "shall not solicit any engineer", True),
        ("hand it back", "shall return the key", True),
        ("broker", "if Tenant breaks this Lease", False),
        ("kettle", "the kettles are cleaned", True),
    ],
)
def test_a_notion_is_met_in_its_forms_and_in_what_papers_write(said, text, met):
    assert bool(notion(said).met(NOTIONS.spoken(text))) is met


@pytest.mark.parametrize(
    ("question", "wants"),
    [
        ("how long is the kettle kept", ("duration",)),
        ("how much is the kettle", ("money",)),
        ("who is the kettle mender", ("name",)),  # a name is narrower than a person
        ("what happens to the kettle", ("consequence",)),
        ("is the kettle clean", ()),
    ],
)
def test_what_a_question_wants(question, wants):
    (part,) = parts_of(question, CUES, NOTIONS)

    assert part.wants == wants


def test_a_second_half_without_words_of_its_own_asks_more_of_the_same():
    (part,) = parts_of("who mends the kettle and by when", CUES, NOTIONS)

    assert set(part.wants) >= {"person", "date"}


def test_each_half_leans_on_the_other_and_a_condition_counts_less():
    kettle, lid = parts_of("what does the kettle cost and who mends the lid", CUES, NOTIONS)

    assert {n.words: n.share for n in kettle.notions}["lid"] < 1.0
    assert {n.words for n in lid.notions} >= {"lid", "kettle"}
    (part,) = parts_of("who mends the lid if the kettle leaks", CUES, NOTIONS)
    assert {n.words: n.share for n in part.notions}["kettle"] < 1.0


@pytest.mark.parametrize(
    ("clause", "stance"),
    [
        ("no such consent shall be required for a merger", Stance.FREES),
        ("Nothing herein shall prevent Owner from racing", Stance.EXCLUDES),
        ("The term does not include spare parts", Stance.EXCLUDES),
        ("Neither party may assign without the prior written consent of the other", Stance.GUARDS),
        ("Owner shall not be permitted to sublet", Stance.FORBIDS),
        ("Nobody may sleep on board", Stance.FORBIDS),
        ("Owner may race", Stance.ALLOWS),
        ("Owner shall pay", Stance.BINDS),
        ("The mast was never stepped", Stance.DENIES),
        ("The mast is of spruce", Stance.STATES),
    ],
)
def test_what_a_clause_does(clause, stance):
    assert stance_of(clause, CUES) is stance


@pytest.mark.parametrize(
    ("question", "pose"),
    [
        ("may she race", "permission"),
        ("must she pay", "requirement"),
        ("is she barred from racing", "prohibition"),
        ("is there a fee", "existence"),
        ("is the mast of spruce", "fact"),
    ],
)
def test_what_a_question_poses(question, pose):
    assert pose_of(question, CUES) == pose


def test_the_same_clause_answers_opposite_questions_oppositely():
    guards = [Stance.GUARDS]

    assert answer_to("permission", guards) == "No"
    assert answer_to("requirement", guards) == "Yes"
    assert answer_to("permission", [Stance.GUARDS, Stance.FREES]) == ""
    assert answer_to("requirement", [Stance.STATES]) == ""


def test_a_sentence_is_parted_where_it_turns():
    assert turns("Owner shall not sublet; provided, however, that a guest may stay")[-1].endswith("a guest may stay")


def test_a_sentence_holds_the_kinds_of_values_it_states():
    text = "Owner shall pay $310 within ten days after May 2, 2022, or 5% more."
    (line,) = Lines([reading(text)], NOTIONS).lines

    assert [values(line, k) for k in ("money", "percent", "duration", "date")] == [
        ["$310"], ["5%"], ["10 days"], ["May 2, 2022"],
    ]  # fmt: skip
    assert holds(("money",), line) == 1.0
    assert 0 < holds(("money", "name"), line) < 1.0


def test_the_rarer_notion_tells_more():
    text = "The kettle is red. The kettle is hot. The lid is red."
    lines = Lines([reading(text)], NOTIONS)

    assert lines.rarity(notion("lid")) > lines.rarity(notion("kettle"))
    weighed = lines.weighed(parts_of("the lid", CUES, NOTIONS)[0], [lines.lines[0].reading.document])
    assert max(weighed, key=lambda w: w.cover).line.unit.text == "The lid is red."
