"""What is known of a judge, by the command: checked, repeated, compared with another and with people."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from flows.corpus import run_corpus
from flows.runs.attempts import AttemptStore
from flows.runs.judgements import Judgement, judgements, write_judgement
from flows.settings import Settings, load_settings
from flows.trust import unproven
from tests.flow.conftest import in_process

NO = json.dumps({"verdict": "fail", "reasoning": "It does not.", "quote": ""})


@pytest.fixture(autouse=True)
def _quick(unchecked: None, kept_workers: None, unpictured: None, sealed_here: None) -> None:
    """No expectations, no report, no new workers and no sealer of its own: they cost seconds a landing and a run."""


@pytest.fixture
def ran(corpus: Callable[[int], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Run two matters by a judge that asks a scripted model where there are no anchors."""
    model = f'[models.m]\nmodel = "scripted"\nretries = 0\nscript = {json.dumps([NO] * 9)}\n'
    (tmp_path / "solon.toml").write_text(f'{model}[judges.house]\nanchors = true\nseats = ["m"]\ncanaries = false\n')
    monkeypatch.chdir(tmp_path)
    given = {"home": tmp_path / "home", "workers": 1, "prefect": "off", "judge": "house"}
    settings = load_settings(given, cwd=tmp_path, env={})
    result = run_corpus(corpus(2), ["extractive"], settings, run_id="r", quiet=True)
    assert any("`solon judge check house`" in note for note in result.notes)
    return settings


@pytest.mark.slow
def test_what_a_user_learns_of_a_judge(ran: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = ["--home", str(ran.home)]

    def asked(*args: str) -> dict:
        capsys.readouterr()
        in_process(["judge", *args, "--json", *home])
        return json.loads(capsys.readouterr().out)

    checked = asked("check", "house")
    assert checked["trusted"], checked["drafts"]
    again = asked("r", "--profile", "house", "--repeat", "2", "--workers", "1")
    repeats = again["repeats"]
    scored = again["criteria"] - again["unscored"]
    assert repeats["criteria"] == scored
    assert (repeats["judge_pairs"], repeats["judge_flips"]) == (3 * scored, 0.0)  # the first and two more: three pairs
    assert repeats["answer_pairs"] == 0
    assert not any("never checked" in note for note in again["notes"])

    other = asked("r", "--profile", "anchor", "--workers", "1")
    compared = asked("r", "--profile", "house", "--against", "anchor")
    assert compared["compared"] == other["criteria"] - other["unscored"]
    assert compared["accuracy"] == 1.0
    versions = (again["profile_version"], other["profile_version"])
    assert (compared["first_version"], compared["second_version"]) == versions

    store = AttemptStore(ran.runs, "r")
    people = tmp_path / "people.csv"
    with people.open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["attempt_id", "criterion_id", "verdict"])
        for attempt in store.ended():
            report = json.loads((store.path(attempt) / "judgement.json").read_bytes())
            rows.writerows([attempt.attempt_id, v["criterion_id"], "fail"] for v in report["verdicts"])
    against = asked("r", "--profile", "house", "--against", str(people))
    assert against["matters"] == 2
    assert against["table"].keys() <= {"pass/fail", "fail/fail"}
    assert against["passed_second"] == 0.0

    def refused(code: int, words: str, *args: str) -> None:
        assert in_process(["judge", *args, *home]) == code
        assert words in capsys.readouterr().err

    refused(2, "solon judge check P", "r")
    refused(2, "solon judge check P", "check")
    refused(2, "compares checklists", "check", "checklist")
    refused(2, "judged by: anchor, house", "r", "--profile", "house", "--against", "nobody")
    people.write_text("attempt,verdict\na,pass\n")
    refused(2, "needs the columns", "r", "--profile", "house", "--against", str(people))
    people.write_text("attempt_id,criterion_id,verdict\nx/y/z/1,C-1,pass\n")
    refused(2, "not of this run", "r", "--profile", "house", "--against", str(people))

    ended = {a.attempt_id: a for a in store.ended()}
    attempt_id, report, judged_utc, _ = next(one for one in judgements(store) if one.report.profile == "house")
    newer = report.model_copy(update={"profile_version": "newer"})
    later = Judgement(attempt_id=attempt_id, report=newer, judged_utc=judged_utc + timedelta(hours=1))
    write_judgement(store, ended[attempt_id], later)
    compared = asked("r", "--profile", "house", "--against", "anchor")
    assert (compared["first_version"], compared["matters"]) == ("newer", 1)  # the other matter has the old one's alone


def test_a_judge_by_checklist_that_asks_models_is_checked_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "solon.toml").write_text('[models.m]\nmodel = "scripted"\nretries = 0\nscript = ["Hm."]\n')
    monkeypatch.chdir(tmp_path)
    settings = load_settings({"home": tmp_path / "home"}, cwd=tmp_path, env={})
    assert any("was never checked" in note for note in unproven("checklist+model:m", settings))
    assert in_process(["judge", "check", "checklist+model:m", "--json", "--home", str(settings.home)]) == 1
    assert json.loads(capsys.readouterr().out)["drafts"][0]["unscored"] == 8
    assert any("is not to be trusted" in note for note in unproven("checklist+model:m", settings))
