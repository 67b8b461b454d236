"""The proposer that asks a model: what it is shown, how its replies are read, and what becomes of unreadable ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tasks.harness import HarnessRef, find_harness
from tasks.learning.gates import run_gates
from tasks.learning.proposers.model import ModelProposer
from tasks.learning.proposers.proposer import Means, Rewriter
from tasks.learning.proposers.registry import proposer_of
from tasks.learning.proposers.showing import editable, step
from tasks.learning.records import LearnerInput, Observation, Surface
from tasks.learning.redaction import signal
from tasks.learning.step import learner_input
from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.reasons import ErrorClass, Failed, MatchKind, Reason
from tasks.matter.records import Matter
from tasks.models.client import ModelClient
from tasks.models.profile import ModelProfile
from tasks.models.records import failed
from tasks.models.transports.scripted import ScriptedModel
from tests.unit.drafting.learned_samples import HEADING, HEADING_TESTS

SKILL = "extraction-reconstruction/key-terms"
PATH = f"skills/{SKILL}/SKILL.md"
PROFILE = ModelProfile(name="thinker", model="scripted", context_window=60_000)
SURFACES: tuple[Surface, ...] = ("skills", "agents", "tools", "knowledge")
NEW_SKILL = "skills/analysis-research/tax-review/SKILL.md"


def given(harness: HarnessRef, **fields: Any) -> LearnerInput:
    seen = Observation(
        matter_key="k", work_type="review", document_suffixes=(".pdf",), deliverable_suffixes=(".docx",),
        skill_id=SKILL, passed=4, unscored=0,
        failed=(Failed(match_kind=MatchKind.SPAN, error_class=ErrorClass.MISSING_FACTS),) * 6,
    )  # fmt: skip
    return learner_input(harness, [("m", signal(seen))], []).model_copy(update=fields)


@pytest.fixture(scope="module")
def shown() -> LearnerInput:
    return given(find_harness())


def proposer(tmp_path: Path, *script: Any, surfaces: tuple[Surface, ...] = SURFACES, **profile: Any) -> Any:
    model = ScriptedModel(list(script))
    made = ModelClient(PROFILE.model_copy(update=profile), transport=model, wait=lambda _: None)
    return ModelProposer(surfaces, tmp_path, lambda: made), model


def reply(**fields: Any) -> str:
    edit = {"surface": "skills", "path": PATH, "find": "passages_per_topic = 3", "replace": "passages_per_topic = 4"}
    return json.dumps({"edits": [{**edit, "rationale": "more passages", "reason": "words_not_conveyed", **fields}]})


def test_a_reply_becomes_an_edit_that_the_gates_take(tmp_path: Path, shown: LearnerInput) -> None:
    made, model = proposer(tmp_path, f"Here it is:\n```json\n{reply()}\n```")
    (edit,) = made.propose(shown, 1)
    assert (edit.surface, edit.path, edit.reason) == ("skills", PATH, Reason.WORDS_NOT_CONVEYED)
    assert edit.before == shown.skills[SKILL]
    assert edit.after == edit.before.replace("passages_per_topic = 3", "passages_per_topic = 4")
    assert run_gates(edit, [])[-1].passed
    system, told = (m["content"] for m in model.requests[0])
    assert "words_not_conveyed 6" in told
    assert PATH in told
    assert "Anti-leakage checklist" in system
    kept = json.loads((tmp_path / "proposer" / "call-0000.json").read_text())
    assert (len(kept["messages"]), len(kept["said"]), kept["problem"]) == (2, 1, "")


@pytest.mark.examples(6)
@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("I would rather not.", "no JSON object"),
        ('{"edits": "none"}', "no JSON object"),
        (reply(replace=7), "replace is missing or of another kind"),
        (reply(surface="models"), "surface is missing or of another kind"),
        (reply(find="passages_per_topic = 31"), "are not in the file"),
        (reply(find=""), "says no lines"),
        (reply(find="\n"), "says no lines"),
        (reply(path="skills/../../secret"), "its path is none of the files shown"),
        (reply(path="prompts/agent.md", surface="agents", find=""), "its path is none of the files shown"),
        (reply(path="tools/x.py", surface="skills", find=""), "its path is none of the files shown"),
        (reply(rationale=" "), "no rationale"),
        (reply(path="skills/" + "a" * 300), "path is missing or of another kind"),
        (reply(replace="a" * 30_000), "too long"),
        (reply(replace="a" * 9_000_000), "no JSON object"),  # so long a reply is not read at all
    ],
)
def test_a_reply_that_cannot_be_read_is_asked_for_once_more(
    tmp_path: Path, shown: LearnerInput, bad: str, problem: str
) -> None:
    made, model = proposer(tmp_path, bad, reply())
    assert len(made.propose(shown, 1)) == 1
    said = model.requests[1][-1]["content"]
    assert problem in said
    made, model = proposer(tmp_path, bad, bad, reply())
    with pytest.raises(SolonError, match="Two replies held no edits") as raised:
        made.propose(shown, 1)
    assert raised.value.failure.cause is FailureCause.UNKNOWN
    assert len(model.requests) == 2


def test_lines_that_stand_twice_are_no_place(tmp_path: Path, shown: LearnerInput) -> None:
    skills = {SKILL: shown.skills[SKILL] + "\nSame.\nSame.\n"}
    made, model = proposer(tmp_path, reply(find="Same."), '{"edits": []}')
    assert made.propose(shown.model_copy(update={"skills": skills}), 1) == []
    assert "more than once" in model.requests[1][-1]["content"]


def test_no_edit_and_the_failure_of_a_provider_are_two_things(tmp_path: Path, shown: LearnerInput) -> None:
    assert proposer(tmp_path, '{"edits": []}')[0].propose(shown, 1) == []
    broken = SolonError(failed(PROFILE, FailureCause.PROVIDER, "is away"))
    with pytest.raises(SolonError, match="is away") as raised:
        proposer(tmp_path, broken, retries=0)[0].propose(shown, 1)
    assert raised.value.failure.cause is FailureCause.PROVIDER


def test_what_was_tried_is_not_tried_again_and_the_limit_holds(tmp_path: Path, shown: LearnerInput) -> None:
    twice = json.dumps({"edits": json.loads(reply())["edits"] * 3})
    assert len(proposer(tmp_path, twice)[0].propose(shown, 2)) == 2
    tried = shown.model_copy(update={"history": ("more passages",)})
    assert proposer(tmp_path, reply())[0].propose(tried, 1) == []


def test_what_is_shown_fits_the_context_and_begins_with_the_weakest(tmp_path: Path, shown: LearnerInput) -> None:
    made, model = proposer(tmp_path, reply(), context_window=6_000, max_output_tokens=1_000)
    made.propose(shown, 1)
    told = model.requests[0][1]["content"]
    assert PATH in told
    assert "further lines are not shown" in told  # of a table that is too long
    client = made._client()
    assert client.tokens_of(model.requests[0]) <= client.prompt_budget
    everything = step(shown, SURFACES, len, 10**9)
    assert len(everything) > 2 * len(told)
    assert list(editable(shown, ("agents", "skills")))[-1] == PATH


def test_a_new_skill_and_a_new_tool_may_be_proposed_whole(tmp_path: Path, shown: LearnerInput) -> None:
    text = shown.skills[SKILL].replace('family = "extraction-reconstruction"', 'family = "analysis-research"')
    whole = reply(path=NEW_SKILL, find="", replace=text, reason="")
    (skill,) = proposer(tmp_path, whole)[0].propose(shown, 1)
    assert (skill.before, skill.reason) == ("", None)
    last = run_gates(skill, [])[-1]
    assert last.passed, last.reason
    code = reply(surface="tools", path="mechanisms/heading.py", find="", replace=HEADING, tests=HEADING_TESTS)
    (tool,) = proposer(tmp_path, code)[0].propose(shown, 1)
    assert (tool.surface, tool.tests) == ("tools", HEADING_TESTS)
    with pytest.raises(SolonError, match="its path is none"):  # a surface that was not asked for
        proposer(tmp_path, code, code, surfaces=("skills",))[0].propose(shown, 1)


def test_an_edit_is_said_again_in_general_words(tmp_path: Path, shown: LearnerInput) -> None:
    made, model = proposer(tmp_path, reply(), reply(replace="passages_per_topic = 5"), reply(), '{"edits": []}')
    assert isinstance(made, Rewriter)
    (edit,) = made.propose(shown, 1)
    other = made.rewritten(edit)
    assert "passages_per_topic = 5" in other.after
    assert "belong to one matter" in model.requests[1][1]["content"]
    assert made.rewritten(edit) is None  # the same again
    assert made.rewritten(edit) is None


def test_classes_without_a_skill_are_told_in_words_of_the_harness_alone() -> None:
    def matter(area: str, work: str) -> Matter:
        return Matter(matter_id=area, title=area, area=area, work_type=work, instructions="Do it.")

    met = [matter("insurance", "draft"), matter("contracts", "review"), matter("Larkfield v. Museum", "draft")]
    told = learner_input(find_harness(), [], [], met).classes
    assert "contracts/review" not in told
    assert not any("Larkfield" in name for name in told)
    assert set(told) <= {"insurance/draft"}


def test_without_a_model_it_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(SolonError, match="--proposer-model"):
        proposer_of("model", Means(surfaces=("skills",), home=tmp_path))
    made = proposer_of("model", Means(surfaces=("skills",), home=tmp_path, model=lambda: ModelClient(PROFILE)))
    assert made.name == "model"


def test_an_answer_without_an_edit_is_not_replayed_at_the_next_step(
    tmp_path: Path, shown: LearnerInput, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The local model was asked once in three steps: its 'no edits' was replayed as the second and the third."""
    monkeypatch.setattr(ModelClient, "tokens_of", lambda *_: 1)  # the tokenizer takes seconds to load
    model = ScriptedModel(["?", "?", '{"edits": []}', reply()])
    hosted = PROFILE.model_copy(update={"model": "openai/x", "api_base": "local"})
    client = ModelClient(hosted, transport=model, cache=tmp_path / "replies", mode="read_write")
    made = ModelProposer(SURFACES, tmp_path, lambda: client)
    with pytest.raises(SolonError):
        made.propose(shown, 1)
    assert made.propose(shown, 1) == []
    assert len(made.propose(shown, 1)) == 1
    again = ModelProposer(SURFACES, tmp_path, lambda: client)  # the step was killed, and begins anew
    assert len(again.propose(shown, 1)) == 1
    assert len(model.requests) == 4
