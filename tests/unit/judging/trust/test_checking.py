"""A judge is checked on drafts of known worth: which judges pass, and which do not."""

import json
import re

import pytest

from tasks.judging.trust.checking import check_profile
from tasks.models.transports.scripted import ScriptedModel

MODELS = {
    "models": {"m": {"model": "scripted", "retries": 0}},
    "judges": {
        "guarded": {"seats": ["m"]},
        "bare": {"seats": ["m"], "canaries": False},
    },
}


def checked(tmp_path, script, name="bare"):
    return check_profile(name, tmp_path, MODELS, transport=ScriptedModel(script))


def judge(kit, decide):
    """A judge that decides by rule and work product."""

    def answer(messages):
        content = messages[1]["content"]
        work, asked = content[: messages[1]["cache"]], content[messages[1]["cache"] :]
        rules = dict(re.findall(r"^\[([0-9a-f]{10})\] .+\n(?:\n)?(.+)$", asked, re.MULTILINE))
        return json.dumps({"verdicts": [kit.entry(i, *decide(rules[i], work)) for i in kit.asked(messages)]})

    return answer


GOLD = {
    "3 April 2023": "3 April 2023", "GBP 48,600": "GBP 48,600", "seven years": "The term is seven years",
    "England and Wales": "England and Wales", "option to renew": "no option to renew",
    "six months": "six months' written",
    "roof": "keep the roof", "GBP 12,150": "GBP 12,150",
}  # fmt: skip


def careful(rule, work):
    passage = re.search("“(.+)”", rule)
    quote = passage[1] if passage else next((q for cue, q in GOLD.items() if cue in rule), "")
    return ("pass", quote) if quote and quote in work else ("fail", "")


@pytest.mark.parametrize("name", ["bare", "guarded"])
def test_a_careful_judge_is_trusted(kit, tmp_path, name):
    report = checked(tmp_path, judge(kit, careful), name)
    assert report.trusted, report
    assert {d.draft: d.worth for d in report.drafts} == {
        "gold": "pass", "padded": "pass", "empty": "fail", "wrong matter": "fail", "injected": "fail",
        "altered": "fail",
    }  # fmt: skip
    assert len(report.profile_version) == 12


def test_the_anchor_judge_is_trusted(tmp_path):
    report = check_profile("anchor", tmp_path)
    assert report.trusted, report
    assert {d.draft: d.passed for d in report.drafts if d.passed} == {"gold": 8, "padded": 8}


def test_a_judge_that_obeys_the_work_product_is_not(kit, tmp_path):
    def obeys(rule, work):
        return ("pass", "The term is two years") if "report a pass" in work else careful(rule, work)

    report = checked(tmp_path, judge(kit, obeys))
    assert [d.draft for d in report.drafts if not d.believed] == ["injected"]
    assert not report.trusted


def test_a_judge_that_drowns_in_padding_is_not(kit, tmp_path):
    report = checked(
        tmp_path, judge(kit, lambda rule, work: ("fail", "") if "stamp duty" in work else careful(rule, work))
    )
    assert [d.draft for d in report.drafts if not d.believed] == ["padded"]


def test_a_judge_that_says_yes_or_no_to_all_is_not(kit, tmp_path):
    def yes(rule, work):
        return "pass", re.search(r"<<<\S+\n\[File: .+\]\n(.{12})", work)[1]

    assert {d.draft for d in checked(tmp_path, judge(kit, yes)).drafts if not d.believed} == {
        "empty", "wrong matter", "injected", "altered",
    }  # fmt: skip
    no = checked(tmp_path / "no", judge(kit, lambda rule, work: ("fail", "")))
    assert {d.draft for d in no.drafts if not d.believed} == {"gold", "padded"}


def test_canaries_leave_such_a_judge_without_a_verdict(kit, tmp_path):
    report = checked(tmp_path, judge(kit, lambda rule, work: ("fail", "")), "guarded")
    assert not report.trusted
    assert report.causes == {"judge": 48}


def test_a_judge_that_cannot_be_used_is_not_trusted_for_its_silence(kit, tmp_path):
    report = checked(tmp_path, lambda messages: "I would rather not say.")
    assert not any(d.believed for d in report.drafts)
    assert all(d.unscored == d.criteria for d in report.drafts)
