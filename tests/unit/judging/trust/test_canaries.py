"""Canary criteria: what gives a judge away, and what does not."""

import json
import re

import pytest

from tasks.judging.profiles import JudgeProfile
from tasks.judging.prompt_files import Fault
from tasks.judging.rubric.items import Work
from tasks.judging.rubric.panel import Panel
from tasks.judging.rubric.replies import Answer
from tasks.judging.trust.canaries import Canaries
from tasks.matter.failures import FailureCause
from tasks.matter.rubric import Criterion
from tasks.models.access import ModelAccess
from tasks.models.transports.scripted import ScriptedModel

SENTENCE = "The tenant pays rent number {} on the first working day of each quarter without set-off."
TEXT = "\n".join(SENTENCE.format(n) for n in range(9))
WORK = Work("Task", {"memo.md": TEXT})
BATCH = [WORK.item(f"criterion/{n}", f"T{n}", "R") for n in range(4)]


def known():
    canaries = Canaries()
    present, absent = canaries.items(WORK, BATCH)
    return canaries, present, absent


def test_a_known_pass_quotes_the_work_and_a_known_fail_names_nothing_in_it():
    _, present, absent = known()
    words = re.search("“(.+)”", present.rule)[1]
    assert words in TEXT
    name, figure = re.search(r"names (.+) and says that (EUR [\d,]+) is", absent.rule).groups()
    assert name not in TEXT
    assert figure not in TEXT
    assert name in absent.title


def test_they_are_the_same_again_and_others_in_another_batch_and_work():
    assert known()[1:] == known()[1:]
    others = Canaries().items(WORK, [WORK.item("criterion/other", "T", "R")])
    assert {i.id for i in others}.isdisjoint(i.id for i in known()[1:])
    elsewhere = Work("Task", {"memo.md": TEXT + " More."})
    assert Canaries().items(elsewhere, BATCH)[1].rule != known()[2].rule


def test_a_work_without_a_sentence_has_the_known_fail_alone():
    assert len(Canaries().items(Work("Task", {"a.md": "short"}), BATCH)) == 1


@pytest.mark.parametrize(
    ("present", "absent", "void"),
    [
        (Answer("pass", "", "The tenant"), Answer("fail", "", ""), False),
        (Answer("fail", "", ""), Answer("fail", "", ""), True),
        (Answer("pass", "", "The tenant"), Answer("pass", "", "The tenant"), True),
        (Answer("pass", "", "The tenant"), Fault.NO_QUOTE, True),
        (Answer("pass", "", "The tenant"), Fault.SHORT_QUOTE, True),
        (Fault.MISQUOTED, Answer("fail", "", ""), False),
        (Fault.NO_ANSWER, Answer("fail", "", ""), True),
        (Answer("pass", "", "The tenant"), Fault.NO_ANSWER, True),
    ],
)
def test_what_voids_a_batch(present, absent, void):
    canaries, held, missing = known()
    assert bool(canaries.flaw({held.id: present, missing.id: absent, BATCH[0].id: Fault.NO_ANSWER})) is void


def judged(kit, script, companions, number=6):
    access = ModelAccess({"small": {"model": "scripted", "retries": 0}}, transport=ScriptedModel(script), role="judge")
    panel = Panel(
        JudgeProfile(name="p", seats=("small",)), access, "Task", {"memo.md": kit.markdown(TEXT, "memo.md")}, {},
        companions,
    )  # fmt: skip
    return panel.judge([Criterion(id=f"C-{n}", title=f"T{n}", match_criteria="R") for n in range(number)])


def honest(kit, messages):
    rules = dict(re.findall(r"^\[([0-9a-f]{10})\] .+\n(.+)$", messages[1]["content"], re.MULTILINE))
    said = []
    for i, rule in rules.items():
        words = re.search("“(.+)”", rule)
        said.append(kit.entry(i, "pass", words[1]) if words else kit.entry(i, "fail"))
    return json.dumps({"verdicts": [e for e in said if e["id"] in kit.asked(messages)]})


def test_an_honest_judge_is_counted_and_no_canary_is_among_its_verdicts(kit):
    found = judged(kit, lambda messages: honest(kit, messages), Canaries())
    assert [v.status for v in found.values()] == ["fail"] * 6
    assert set(found) == {f"C-{n}" for n in range(6)}


def test_a_judge_that_passes_all_it_sees_scores_nothing(kit):
    yes = kit.ballot({}, default=("pass", "The tenant pays rent number 3"))
    assert [v.status for v in judged(kit, yes, None).values()] == ["pass"] * 6  # what nobody would have noticed
    found = judged(kit, yes, Canaries())
    assert {(v.status, v.cause) for v in found.values()} == {("unscored", FailureCause.JUDGE)}
    assert all("cannot meet" in v.reasoning for v in found.values())


def test_a_judge_that_fails_all_it_sees_scores_nothing(kit):
    found = judged(kit, kit.ballot({}), Canaries())
    assert {v.status for v in found.values()} == {"unscored"}
    assert all("its own words" in v.reasoning for v in found.values())
