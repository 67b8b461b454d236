"""Judges by checklist are checked on the same drafts."""

import json
import re

import pytest

from tasks.judging.checklist.reference import unusable
from tasks.judging.trust.checking import _known, check_profile
from tasks.models.transports.scripted import ScriptedModel

MODELS = {"models": {"m": {"model": "scripted", "retries": 0}}}
VALUES = {values[0].value for values in _known()["rubric"].checklist.values.values()}
SECTION = re.compile(r"^## (.+)\n(.+)$", re.MULTILINE)


def reads(asked):
    """Answer what the section of an item says, copied."""
    item = re.search(r"^Item: (.+)$", asked, re.MULTILINE)[1]
    said = {title.casefold(): words for title, words in SECTION.findall(asked)}
    words = said.get(item.casefold())
    return {"reasoning": "r", "values": [{"value": words, "evidence": [words]}] if words else []}


GOOD = ("3 April 2023", "48,600", "seven years from", "England and Wales", "no option", "six months'", "roof", "12,150")


def careful(messages):
    asked = messages[1]["content"]
    if "Find what this work product says" in asked:
        return json.dumps(reads(asked))
    if asked.startswith("Two statements"):
        statement = asked.split("Statement A:")[1].split("Statement B:")[0]
        same = any(words in statement for words in GOOD)
        return json.dumps({"reasoning": "r", "relation": "equal" if same else "different"})
    if asked.startswith("Numbered passages"):
        return json.dumps({"reasoning": "r", "facts": []})
    marks = re.search(r'"marks": (\{[^}]*\})', asked)[1]
    return json.dumps({"reasoning": "r", "marks": dict.fromkeys(re.findall(r'"(\w+)"', marks), 3)})


def easy(messages):
    asked = messages[1]["content"]
    return json.dumps({"reasoning": "r", "relation": "equal"}) if "Two statements" in asked else careful(messages)


def test_the_reference_of_the_check_can_be_judged_by():
    assert unusable(_known()["rubric"].checklist) == ""
    assert len(VALUES) == 8


def test_a_careful_judge_is_trusted(tmp_path):
    report = check_profile("checklist+model:m", tmp_path, MODELS, transport=ScriptedModel(careful))
    assert report.trusted, report
    assert {draft.criteria for draft in report.drafts} == {8}


def test_a_judge_to_whom_all_is_equal_is_not(tmp_path):
    report = check_profile("checklist+model:m", tmp_path, MODELS, transport=ScriptedModel(easy))
    assert not report.trusted
    assert {d.draft for d in report.drafts if not d.believed} == {"wrong matter", "injected", "altered"}


@pytest.mark.parametrize("draft", ["empty"])
def test_without_a_model_prose_stays_unscored_and_nobody_is_trusted(tmp_path, draft):
    report = check_profile("checklist", tmp_path, MODELS)
    found = {d.draft: d for d in report.drafts}
    assert not report.trusted
    assert (found[draft].unscored, found[draft].failed) == (8, 0)
    assert all(d.passed == 0 for d in report.drafts if d.worth == "fail")
