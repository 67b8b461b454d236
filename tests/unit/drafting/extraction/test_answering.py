"""What a filled checklist says to the asks of a brief, and how its deliverables tell it."""

from __future__ import annotations

import json

import pytest

from tasks.asks.records import Ask, AskKind, Asks, AskState
from tasks.asks.table import read_table
from tasks.drafting.extraction.answering import answers_of
from tasks.drafting.extraction.delivering import AskAnswers, as_json, as_markdown
from tasks.judging.checklist.filled_in import read_filled
from tasks.legaltext.checklists.definition import open_checklist
from tasks.legaltext.checklists.records import Entry, Evidence, Filled, Value
from tasks.matter.failures import FailureCause
from tasks.sources.records import CanonicalText

CASE = open_checklist("case")
PAPER = 'Filed on May 6, 2019.\nJudge Ruth T. Lane said: no "relief". There was no appeal.'
TEXTS = {"docket.txt": CanonicalText(document="docket.txt", sha256="0", extractor="t", media="txt", text=PAPER)}


def words(text: str) -> tuple[Evidence, ...]:
    start = PAPER.index(text)
    return (Evidence(document="docket.txt", start=start, end=start + len(text), text=text),)


FILLED = Filled(
    entries={
        "filing_date": Entry(values=(Value(text="May 6, 2019", evidence=words("May 6, 2019")),)),
        "judge_name": Entry(values=(Value(text="Ruth T. Lane", evidence=words("Ruth T. Lane")),)),
        "remedy_sought": Entry(values=(Value(text='no "relief"', evidence=words('no "relief"')),)),
        "appeals": Entry(excluded=words("There was no appeal.")),
        "trials": Entry(cause=FailureCause.CAPACITY, message="the tokens of the cell were used up"),
    }
)


def asked(*questions: str, kind: AskKind = AskKind.FACT) -> Asks:
    brief = " ".join(questions)
    asks = tuple(
        Ask(ask_id=str(at), words=q, start=brief.index(q), end=brief.index(q) + len(q), kind=kind, subject=q)
        for at, q in enumerate(questions, 1)
    )
    return Asks(brief=brief, asks=asks)


@pytest.mark.examples(1)
@pytest.mark.parametrize(
    ("question", "state", "answer", "where"),
    [
        ("When was the complaint filed?", AskState.ANSWERED, "Filing date: May 6, 2019", "docket.txt, line 1"),
        ("Who is the judge?", AskState.ANSWERED, "Judge name: Ruth T. Lane", "docket.txt, line 2"),
        ("Was there an appeal?", AskState.ANSWERED, "Appeals: Not Applicable", "docket.txt, line 2"),
        ("Who is the monitor?", AskState.NOT_FOUND, "Name of the monitor: nothing was found", "in all 1 documents"),
        ("Was there a trial?", AskState.NOT_ATTEMPTED, "", "used up"),
        ("What does lunch cost?", AskState.NOT_ATTEMPTED, "", "no item of the checklist"),
    ],
)
def test_an_ask_has_the_state_of_the_items_that_it_is_about(question, state, answer, where) -> None:
    (said,) = answers_of(asked(question), CASE, FILLED, TEXTS)
    assert (said.state, said.answer) == (state, answer)
    assert where in said.where
    for entry in said.entries:
        assert entry.state is not AskState.NOT_FOUND or entry.searched
        assert entry.state is not AskState.ANSWERED or entry.support


def test_an_item_that_was_not_examined_leaves_the_ask_for_the_whole_checklist_open() -> None:
    (said,) = answers_of(asked("Fill the checklist."), CASE, FILLED, TEXTS)
    assert said.state is AskState.NOT_ATTEMPTED
    examined = Filled(entries={k: v for k, v in FILLED.entries.items() if k != "trials"})
    (said,) = answers_of(asked("Fill the checklist."), CASE, examined, TEXTS)
    assert said.state is AskState.ANSWERED
    assert len(said.entries) == sum(1 for _ in CASE.items())


def test_a_constraint_is_no_question_about_an_item() -> None:
    (said,) = answers_of(asked("Write to the judge.", kind=AskKind.CONSTRAINT), CASE, FILLED, TEXTS)
    assert said.state is AskState.NOT_ATTEMPTED


def test_the_deliverables_tell_the_asks_and_stay_filled_checklists() -> None:
    asks = asked("When was the complaint filed?", "What relief is sought?")
    told = AskAnswers(asks, answers_of(asks, CASE, FILLED, TEXTS))
    markdown = as_markdown(CASE, FILLED, TEXTS, told)
    assert [a.state for a in read_table(markdown, asks)] == [AskState.ANSWERED] * 2
    data = as_json(CASE, FILLED, TEXTS, told)
    assert [row["state"] for row in json.loads(data)["asks"]] == ["answered", "answered"]
    for name, text in (("list.md", markdown), ("list.json", data)):
        read = read_filled(CASE, {name: text})
        assert [v.text for v in read.filled.of("filing_date").values] == ["May 6, 2019"]
        bare = read_filled(CASE, {name: as_markdown(CASE, FILLED, TEXTS)}).share
        assert read.share == (1.0 if name == "list.json" else bare)
