"""A run judged again by another version of its judge: scores of two versions are never mixed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from flows.corpus import run_corpus
from flows.judge import judge_run
from flows.runs.attempts import AttemptStore
from flows.settings import Settings, load_settings
from tasks.judging.records import JudgeReport
from tasks.matter.failures import SolonError
from tasks.models.flow import read_flow

CELL = ["extractive"]
NO = json.dumps({"verdict": "fail", "reasoning": "It does not.", "quote": ""})


@pytest.fixture(autouse=True)
def _quick(unchecked: None, kept_workers: None, unpictured: None, sealed_here: None) -> None:
    """No expectations, no report, no new workers and no sealer of its own: they cost seconds a landing and a run."""


@pytest.fixture
def judge_of(tmp_path: Path) -> Callable[[str], Settings]:
    """Write the table of the judge ``house`` and return the settings that use it."""

    def make(more: str = "", judge: str = "house") -> Settings:
        model = f'[models.m]\nmodel = "scripted"\nretries = 0\nscript = {json.dumps([NO] * 9)}\n'
        table = f'[judges.house]\nanchors = true\nseats = ["m"]\n{more}\n'
        (tmp_path / "solon.toml").write_text(model + table)
        given = {"home": tmp_path / "home", "workers": 1, "prefect": "off", "judge": judge}
        return load_settings(given, cwd=tmp_path, env={})

    return make


@pytest.mark.slow
def test_a_run_is_judged_by_one_version_of_its_judge(
    corpus: Callable[[int], Path],
    judge_of: Callable[..., Settings],
) -> None:
    first = judge_of()
    root = corpus(1)
    run = run_corpus(root, CELL, first, run_id="r", quiet=True).cells[0]
    store = AttemptStore(first.runs, "r")
    (attempt,) = store.ended()
    assert (run.judge_profile, run.judge_version) == ("house", attempt.judge_version)
    assert len(run.judge_version) == 12
    report = JudgeReport.model_validate_json((store.path(attempt) / "judgement.json").read_bytes())
    assert report.profile_version == run.judge_version
    assert [len(v.votes) for v in report.verdicts] == [0, 0, 1]

    second = judge_of("votes = 3")
    with pytest.raises(SolonError, match="another version of its judge profile"):
        run_corpus(root, CELL, second, run_id="r", quiet=True)
    judged = judge_run("r", "house", second)
    assert judged.profile_version not in ("", run.judge_version)
    assert not any("keep their verdicts" in note for note in judged.notes)
    again = run_corpus(root, CELL, second, run_id="r", quiet=True).cells[0]
    assert again.judge_version == judged.profile_version

    # what the judge is sent again is logged beside the judgement, for the attempt has ended
    (log,) = (store.folder / "_judgements").rglob("*flow.jsonl")
    assert [entry.role for entry in read_flow(log)] == ["judge"] * 3
    with pytest.raises(SolonError, match="another version of its judge profile"):
        run_corpus(root, CELL, first := judge_of(), run_id="r", quiet=True)

    # of an attempt that cannot be judged again the old verdicts stay, and that is told
    (output,) = store.path(attempt).joinpath("output").iterdir()
    output.write_bytes(b"altered")
    partly = judge_run("r", "house", first)
    assert (partly.attempts, len(partly.problems)) == (0, 1)
    told = f"1 attempts keep their verdicts by another version of house ({judged.profile_version})"
    assert any(told in note for note in partly.notes)
