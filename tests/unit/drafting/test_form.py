"""Constraints on the form are checked on the draft, and left open where they are not met or cannot be checked."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from extractive_samples import asks_for, settings

from knowledge_db.records import FORM_CHECKS
from tasks.asks.cues import cues_of
from tasks.asks.records import AskAnswer, AskKind, AskState, Entry
from tasks.drafting.extractive.editing.marking import Marking
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.extractive.ways.form import _CHECKS, observed
from tasks.harness import packaged
from tasks.sources.records import Span

CITED = Entry(state=AskState.ANSWERED, answer="x", support=(Span(document="a", start=0, end=1),))
BARE = Entry(state=AskState.ANSWERED, answer="x", basis="computed")
MISSING = Entry(state=AskState.NOT_FOUND, answer="x", searched=("x",))
MEMO = "## Table of answers\n\n| a | b |\n\n## Findings\n\n“Words of the paper” [A § 1]"
LAW = Entry(state=AskState.ANSWERED, answer="x", basis="29 U.S.C. § 626(f)")
CASES = [
    # words, entries, draft, a table beside it, whether it is met, what is said
    ("in a table", [CITED], MEMO, False, True, "the answers stand in a table"),
    ("in a table", [CITED], "## Findings", False, False, "too little is answered"),
    ("in a table", [CITED], "", True, True, "the answers stand in a table"),
    ("cite the sections", [CITED, MISSING], MEMO, False, True, "every answer is cited"),
    ("cite the sections", [CITED, BARE], MEMO, False, False, "1 answers rest on no passage"),
    ("cite the sections", [MISSING], MEMO, False, False, "nothing is answered that could be cited"),
    ("cite the statute", [CITED], MEMO, False, False, "no statute or other authority is cited"),
    ("cite the statute", [CITED, BARE], MEMO, False, False, "no statute or other authority is cited"),
    ("cite the statute", [LAW], MEMO, False, True, "every answer is cited"),
    ("quote the exact words", [CITED], MEMO, False, True, "the operative words are quoted"),
    ("quote the exact words", [CITED], "## Findings", False, False, "nothing is answered that could be quoted"),
    ("no more than 200 words", [CITED], "word " * 150, False, True, "150 words, within the limit (200 words)"),
    ("no more than 200 words", [CITED], "word " * 250, False, False, "250 words, more than the limit (200 words)"),
    ("One page will do", [CITED], "word " * 600, False, False, "more than the limit (One page)"),
    ("keep it short", [CITED], "word " * 90, False, False, "no limit is given that could be checked"),
    ("by severity", [CITED], MEMO, False, False, "the draft keeps the order of the request"),
    ("ranked by risk, in a table", [CITED], MEMO, False, False, "the draft keeps the order of the request"),
    ("say so where there is no provision", [MISSING], MEMO, False, True, "what was not found is listed"),
    ("say so where there is no provision", [CITED], MEMO, False, True, "nothing to report as missing"),
    ("Prepare a short memorandum", [CITED], MEMO, False, True, "this work product"),
    ("Prepare a short memorandum", [MISSING], MEMO, False, False, "nothing is answered that would fill one"),
    ("in plain English", [CITED], MEMO, False, False, "left to the reviewer"),
]


def check(words, entries, draft, *, tabular=False, markings=(), **procedure):
    room = SimpleNamespace(
        markings=markings,
        settings=settings(**procedure),
        cues=cues_of(packaged().knowledge),
        log=Transcript(),
        job=SimpleNamespace(asks=asks_for(words, [words], kind=AskKind.CONSTRAINT)),
    )
    answers = [AskAnswer(ask_id="9", state=AskState.ANSWERED, entries=tuple(entries))]
    (made,) = observed(room, answers, draft, tabular=tabular)
    return made


@pytest.mark.parametrize(("words", "entries", "draft", "tabular", "met", "said"), CASES)
def test_a_constraint_is_checked_on_the_draft(words, entries, draft, tabular, met, said):
    made = check(words, entries, draft, tabular=tabular)
    assert (made.state is AskState.ANSWERED) is met
    assert said in made.answer


def test_what_is_missing_must_be_told_where_that_is_wanted():
    made = check("say so where there is no provision", [MISSING], MEMO, not_found_statements=False)
    assert made.state is AskState.NOT_ATTEMPTED
    assert made.entries[0].reason == "what was not found is not told"


LAW = Marking(change=None, changed=(("Colorado", "Delaware"),))
FEE = Marking(change=None, changed=(("the courts of Denver", "the courts of Dover"),))
LOST = Marking(change=None, reason="the words stand nowhere")


@pytest.mark.parametrize(
    ("words", "markings", "met", "said"),
    [
        ("Leave everything else as it is", [LAW], True, "everything else stands as it was"),
        ("leave the Denver courts alone", [LAW], True, "everything else stands as it was"),
        ("leave the Denver courts alone", [LAW, FEE], False, "marked: court, denv"),
        ("nothing else changes", [], False, "left to the reviewer"),
        ("Track changes please", [LAW], True, "every change is a tracked change"),
        ("Track changes please", [LOST], False, "nothing is marked up"),
    ],
)
def test_what_a_redline_may_not_touch_is_checked_on_its_changes(words, markings, met, said):
    made = check(words, [CITED], "", markings=markings)
    assert (made.state is AskState.ANSWERED) is met
    assert said in made.answer


def test_every_check_that_the_knowledge_may_name_exists():
    assert set(_CHECKS) == FORM_CHECKS
    assert set(cues_of(packaged().knowledge).forms) == FORM_CHECKS
