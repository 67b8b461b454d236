"""Judging an attempt from the sealed store to the report."""

import json

import pytest

from skills_repo.template import PromptTemplate
from tasks.judging import prompt_files
from tasks.judging.rubric import items
from tasks.judging.stage import judge
from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.records import Matter
from tasks.matter.rubric import Criterion, Rubric
from tasks.models.transports.scripted import ScriptedModel

MATTER = Matter(matter_id="a/b", title="T", area="a", instructions="I")
MODELS = {"one": {"model": "scripted", "retries": 0}, "two": {"model": "scripted", "retries": 0}}


@pytest.fixture
def attempt(tmp_path, kit):
    """A sealed rubric of one anchored and one plain criterion, and a Markdown work product."""
    plain = Criterion(id="C-2", title="Recommends a next step", match_criteria="PASS if it does.")
    criteria = (kit.criterion("value", "New York", ("lease.txt", "Acme"), ("governing law",)), plain)
    rubric = Rubric(matter_id="a/b", matter_digest=MATTER.digest, title="T", instructions="I", criteria=criteria)
    sealed, output = tmp_path / "sealed", tmp_path / "output"
    sealed.mkdir()
    output.mkdir()
    (sealed / f"{MATTER.digest}.json").write_text(rubric.model_dump_json(), encoding="utf-8")
    (output / "memo.md").write_text("# Acme\n\n## Governing law\n\nNew York law governs.\n", encoding="utf-8")
    return MATTER, output, sealed, tmp_path / "cache"


def run(attempt, profile, **more):
    matter, output, sealed, cache = attempt
    return judge(matter, output, sealed, profile, cache, **more)


def reply(verdict, quote="New York law"):
    return json.dumps({"reasoning": "No recommendation is made.", "verdict": verdict, "quote": quote})


def test_anchors_judge_what_carries_them_and_the_rest_is_unscored(attempt):
    report = run(attempt, "anchor")
    assert [v.status for v in report.verdicts] == ["pass", "unscored"]
    assert report.verdicts[1].cause is FailureCause.POLICY
    assert report.profile == "anchor"
    assert report == run(attempt, "anchor")


def test_a_model_judges_the_rest_and_its_spend_is_recorded(attempt):
    report = run(attempt, "anchor+model:one", models=MODELS, transport=ScriptedModel([reply("fail", "")]))
    assert [v.status for v in report.verdicts] == ["pass", "fail"]
    assert report.verdicts[1].error_class == "remedial_action"
    assert report.usage.calls == 1
    assert report.usage == report.verdicts[1].usage


def test_judging_again_replays_the_judge(attempt, kit):
    said = ScriptedModel(kit.ballot({"t": ("pass", "New York law")}))
    first = run(attempt, "model:one", models=MODELS, transport=said)
    assert [v.status for v in first.verdicts] == ["pass", "fail"]
    assert len(said.requests) == 1
    silent = ScriptedModel([])
    assert run(attempt, "model:one", models=MODELS, transport=silent) == first
    assert silent.requests == []
    fresh = ScriptedModel(kit.ballot({}))
    anew = run(attempt, "model:one", models=MODELS, transport=fresh, mode="off")
    assert [v.status for v in anew.verdicts] == ["fail", "fail"]


@pytest.mark.parametrize("name", ["judge", "batch", "criterion"])
def test_a_changed_prompt_is_another_judge(attempt, kit, monkeypatch, name):
    """Its verdicts are asked for anew, and the report says by which prompts they were given."""
    first = run(
        attempt, "model:one", models=MODELS, transport=ScriptedModel(kit.ballot({"t": ("pass", "New York law")}))
    )
    before = prompt_files.judge_prompts()
    changed = {**before, name: PromptTemplate(before[name].text + " Be strict.")}
    monkeypatch.setattr(prompt_files, "judge_prompts", lambda: changed)
    monkeypatch.setattr(items, "judge_prompts", lambda: changed)
    asked = ScriptedModel(kit.ballot({}))
    anew = run(attempt, "model:one", models=MODELS, transport=asked)
    assert [v.status for v in anew.verdicts] == ["fail", "fail"]
    assert all("Be strict." in str(request) for request in asked.requests)
    assert first.prompts != anew.prompts
    assert first.profile_version != anew.profile_version
    assert run(attempt, "anchor").prompts == ""


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [("pass", "pass", "pass"), ("pass", "fail", "fail"), ("junk", "pass", "unscored"), ("junk", "fail", "fail")],
)
def test_two_judges_must_both_pass_a_criterion(attempt, first, second, together):
    def script(messages):
        calls.append(1)
        vote = first if len(calls) <= (2 if first == "junk" else 1) else second
        return "junk" if vote == "junk" else reply(vote)

    calls = []
    models = {"one": MODELS["one"], "two": {**MODELS["two"], "seed": 2}}
    report = run(attempt, "anchor+model:one,two", models=models, transport=ScriptedModel(script))
    assert report.verdicts[1].status == together
    assert report.usage.calls == len(calls)


@pytest.mark.parametrize("profile", ["oracle", "model:", "model:a,b,c", "anchor:x", "anchor+model"])
def test_an_unknown_judge_profile_is_a_clear_failure(attempt, profile):
    with pytest.raises(SolonError, match="No such judge profile"):
        run(attempt, profile)


def test_an_unknown_model_is_a_clear_failure(attempt):
    with pytest.raises(SolonError, match="No such chat profile"):
        run(attempt, "model:ghost", models=MODELS)


def test_a_judge_that_was_edited_meanwhile_is_asked_nothing(attempt, kit):
    said = ScriptedModel(kit.ballot({}))
    first = run(attempt, "model:one", models=MODELS, transport=said)
    kept = {"mode": "off", "transport": said}
    again = run(attempt, "model:one", models=MODELS, version=first.profile_version, **kept)
    assert again.profile_version == first.profile_version
    hotter = {**MODELS, "one": {**MODELS["one"], "temperature": 1.0}}
    asked = len(said.requests)
    with pytest.raises(SolonError, match="edited meanwhile") as refused:
        run(attempt, "model:one", models=hotter, version=first.profile_version, **kept)
    assert refused.value.failure.cause is FailureCause.CHANGED
    assert len(said.requests) == asked


def test_a_matter_without_a_sealed_rubric_says_so(attempt, tmp_path):
    with pytest.raises(SolonError, match="no rubric of this matter"):
        judge(attempt[0], attempt[1], tmp_path, "anchor", attempt[3])


def test_profiles_come_from_the_file_the_environment_names(attempt, tmp_path, monkeypatch):
    file = tmp_path / "models.toml"
    script = json.dumps(["at a loss", reply("pass"), reply("pass")])
    file.write_text(f'[models.env]\nmodel = "scripted"\nscript = {script}\n', encoding="utf-8")
    monkeypatch.setenv("SOLON_MODELS", str(file))
    assert [v.status for v in run(attempt, "model:env").verdicts] == ["pass", "pass"]


def test_a_link_in_the_output_is_not_followed(attempt, tmp_path):
    secret = tmp_path / "secret.md"
    secret.write_text("# Acme\n\n## Governing law\n\nNew York\n", encoding="utf-8")
    (attempt[1] / "memo.md").unlink()
    (attempt[1] / "memo.md").symlink_to(secret)
    assert run(attempt, "anchor").verdicts[0].status == "fail"
