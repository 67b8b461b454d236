"""Values as they enter: verified quotations, repetitions, and items that do not apply."""

import pytest

from tasks.legaltext.checklists import entering
from tasks.legaltext.checklists.definition import none_words
from tasks.legaltext.checklists.entering import Intake, Texts
from tasks.legaltext.checklists.records import Evidence

TEXT = "The suit was filed on 2 May 2022.\nIt seeks “fees” of $1.5 million; North Corp. paid $15 to no one."


def intake(**more):
    return Intake(Texts({"memo.md": TEXT, "annex.md": "An annex on fees."}), **more)


def test_a_quotation_is_found_whatever_its_typography_and_says_where():
    entry = (taking := intake()).entry([("Fees", ['seeks  "FEES" of'])])
    (evidence,) = entry.values[0].evidence
    assert (evidence.document, TEXT[evidence.start : evidence.end]) == ("memo.md", "seeks “fees” of")
    assert evidence.text == "seeks “fees” of"
    assert (taking.dropped_values, taking.dropped_evidence) == (0, 0)


@pytest.mark.parametrize("quotation", ["filed on 3 May 2022", "$15 million", "the plaintiff won", "", "t", "rth Cor"])
def test_what_is_not_in_the_text_is_dropped_and_counted(quotation):
    taking = intake()
    assert taking.entry([("Invented", [quotation])]).values == ()
    assert (taking.dropped_values, taking.dropped_evidence) == (1, 1)


def test_a_value_keeps_the_quotations_that_are_there():
    taking = intake()
    (value,) = taking.entry([("2 May 2022", ["filed on 2 May 2022", "filed in spring"])]).values
    assert [e.text for e in value.evidence] == ["filed on 2 May 2022"]
    assert (taking.dropped_values, taking.dropped_evidence) == (0, 1)


def test_a_value_without_quotations_is_dropped_unless_a_person_gave_it():
    assert intake().entry([("2 May 2022", [])]).values == ()
    assert len(intake(evidenced=False).entry([("2 May 2022", [])]).values) == 1


def test_a_short_word_is_not_found_within_another():
    assert Texts({"m": "North"}).find("No") is None
    assert Texts({"m": "North, no"}).find("No").start == 7


def test_figures_are_not_folded_together():
    assert Texts({"m": "$15"}).find("$1.5") is None
    assert Texts({"m": "$15 and $1.5"}).find("$1.5").text == "1.5" or Texts({"m": "$1.5"}).find("$1.5")


def test_where_a_quotation_is_said_to_stand_is_checked():
    right = Evidence(document="memo.md", start=4, end=8, text="suit")
    wrong = right.model_copy(update={"start": 0, "end": 4})
    elsewhere = right.model_copy(update={"document": "annex.md"})
    taking = intake()
    values = taking.entry([("a", [right]), ("b", [wrong]), ("c", [elsewhere])]).values
    assert [v.text for v in values] == ["a", "b"]
    assert values[0].evidence == values[1].evidence == (right,)
    assert taking.dropped_values == 1


def test_repetitions_become_one_value_with_the_quotations_of_all():
    (value,) = intake().entry([("Fees", ["seeks “fees”"]), ("fees ", ["An annex on fees"])]).values
    assert [e.document for e in value.evidence] == ["memo.md", "annex.md"]
    assert len(intake().entry([("1.5", ["$1.5 million"]), ("15", ["paid $15"])]).values) == 2


@pytest.mark.parametrize("words", ["N/A", "not applicable", "Not stated.", " none ", "-", ""])
def test_an_item_that_does_not_apply_has_no_value(words):
    taking = intake(evidenced=False)
    assert taking.entry([(words, [])]).values == ()
    assert taking.dropped_values == 0


def test_no_is_a_value():
    assert len(intake(evidenced=False).entry([("No", []), ("Yes", [])]).values) == 2


def test_the_words_for_not_applicable_are_data(monkeypatch):
    monkeypatch.setattr(entering, "none_words", lambda: frozenset({"nil"}))
    assert intake(evidenced=False).entry([("nil", [])]).values == ()
    assert len(intake(evidenced=False).entry([("n/a", [])]).values) == 1


@pytest.mark.examples(2)
@pytest.mark.parametrize("run", ["no", ". ", "1", "a b "])
def test_hostile_repetition_takes_no_time(run, no_hang):
    taking = Intake(Texts({"m": "x" + run * 50_000}))
    taking.entry([(run * 4_000 + "!", ["no", "1", run * 3, run * 60_000]) for _ in range(20)])


@pytest.mark.parametrize("words", sorted(none_words()))
def test_every_word_for_not_applicable_is_no_value(words):
    assert intake(evidenced=False).entry([(words.upper(), []), (f"{words} 7", [])]).values[0].text == f"{words} 7"
