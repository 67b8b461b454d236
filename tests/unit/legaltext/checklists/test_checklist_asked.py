"""Which items of a checklist a question of a brief asks for."""

from __future__ import annotations

import pytest

from tasks.legaltext.checklists.definition import checklist_names, open_checklist
from tasks.legaltext.tokens import terms

QUESTIONS = [
    ("case", "When was the complaint filed?", ["filing_date"]),
    ("case", "Who is the judge?", ["judge_name"]),
    ("case", "How long will the consent decree last?", ["decree_duration"]),
    ("case", "Who are the parties?", ["parties"]),
    ("case", "Was there an appeal, and what was its outcome?", ["appeals"]),
    ("case", "What did the monitor report?", ["monitor_reports"]),
    ("case", "What was agreed in the settlement?", ["settlement_terms"]),
    ("case", "On which date was the settlement signed?", ["settlement_date"]),
    ("case", "Was there a dispute about the enforcement of the settlement?", ["enforcement_disputes"]),
    ("case", "Does the court retain jurisdiction?", ["court_enforcement"]),
    ("case", "Who pays for the catering?", []),
    ("contract", "When does the contract end?", ["term"]),
    ("contract", "Which law governs?", ["governing_law"]),
    ("contract", "May it be assigned?", ["assignment"]),
]


@pytest.mark.parametrize(("name", "question", "items"), QUESTIONS)
def test_a_question_asks_for_the_items_that_it_is_about(name: str, question: str, items: list[str]) -> None:
    assert open_checklist(name).asked_about(question) == items


def test_a_group_is_asked_for_by_its_title_and_all_items_by_the_checklist() -> None:
    case = open_checklist("case")
    assert case.asked_about("Summarise the legal foundation.") == ["cause_of_action", "legal_basis", "remedy_sought"]
    every = [item.id for item in case.items()]
    assert case.asked_about("Fill the checklist from the documents.") == every


@pytest.mark.parametrize("name", checklist_names())
def test_every_phrase_of_a_question_does_what_no_other_phrase_of_its_item_does(name: str) -> None:
    checklist = open_checklist(name)
    for item in checklist.items():
        for phrase in item.asked:
            others = (item.title, *item.names, *(p for p in item.asked if p != phrase))
            assert item.wanted_by(frozenset(terms(phrase))) == frozenset(terms(phrase)), (item.id, phrase)
            assert frozenset(terms(phrase)) not in [frozenset(terms(other)) for other in others], (item.id, phrase)


def test_some_items_of_a_checklist_whose_names_were_looked_up_are_a_checklist() -> None:
    case = open_checklist("case")
    assert case.by_name["judgename"] == "judge_name"
    some = case.only({"judge_name", "filing_date"})
    assert [item.id for item in some.items()] == ["filing_date", "judge_name"]
    assert set(some.by_name.values()) == {"filing_date", "judge_name"}
    assert (some.name, some.title, some.alpha) == (case.name, case.title, case.alpha)
