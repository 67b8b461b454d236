"""The table of cells shows no rate where nothing was scored, and the JSON says null."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.cli import main
from flows.cli.common import say_json, say_problems
from flows.cli.run import _show
from flows.cli.sql import _table
from flows.corpus import RunResult
from flows.judge import JudgeResult
from flows.runs.summary import CellSummary, summarize
from tasks.matter.failures import Failure, FailureCause
from tests.unit.flows.test_attempts import BROKEN, SCORED, attempt


def test_nothing_scored_is_no_rate(capsys: pytest.CaptureFixture[str]) -> None:
    cells = (summarize("down", [attempt(**BROKEN)]), summarize("up", [attempt(**SCORED)]), summarize("none", []))
    result = RunResult(run_id="r", cells=cells, warehouse=Path("w.duckdb"), report=None)
    _show(result, Path("runs/r"))
    printed_rows = [line.replace("not scored", "not_scored") for line in capsys.readouterr().out.splitlines()]
    rows = {line.split()[0]: line.split() for line in printed_rows if line.strip()}
    assert rows["down"][3:5] == ["not_scored", "not_scored"]
    assert rows["up"][3:5] == ["75.0%", "0.0%"]
    assert rows["none"][3:5] == ["not_scored", "not_scored"]
    say_json(result.model_dump(mode="json", include={"cells"}))
    printed = json.loads(capsys.readouterr().out)["cells"]
    assert [(c["pooled_pass"], c["all_pass"]) for c in printed] == [(None, None), (0.75, 0.0), (None, None)]
    assert [(c["attempts"], c["failed"]) for c in printed] == [(1, 1), (1, 0), (0, 0)]


def test_a_run_of_which_every_attempt_failed_is_failed() -> None:
    down, up, none = summarize("down", [attempt(**BROKEN)]), summarize("up", [attempt(**SCORED)]), summarize("none", [])

    def of(*cells: CellSummary) -> bool:
        return RunResult(run_id="r", cells=cells, warehouse=Path("w.duckdb"), report=None).came_to_nothing

    assert of(down)
    assert of(down, none)
    assert not of(down, up)
    assert not of(none)


@pytest.mark.parametrize(
    ("causes", "code"),
    [
        ({"provider": 4}, 1),
        ({"judge": 3, "policy": 1}, 1),
        ({"policy": 4}, 0),  # no anchor and no model configured: as it was asked for
        ({"provider": 1}, 0),
        ({}, 0),
    ],
)
def test_a_run_or_a_rescoring_of_which_nothing_could_be_scored_is_failed(
    causes: dict[str, int], code: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    n = sum(causes.values())
    cell = summarize("c", [attempt(**{**SCORED, "criteria": 4, "passed": min(3, 4 - n), "unscored": n})])
    made = RunResult(run_id="r", cells=(cell,), warehouse=Path("w.duckdb"), report=None, unscored=causes)
    monkeypatch.setattr("flows.corpus.run_corpus", lambda *_, **__: made)
    judged = JudgeResult(run_id="r", profile="house", attempts=1, criteria=4, passed=min(3, 4 - n), unscored=n,
                         pooled_pass=None, cost_usd=0.0, unscored_causes=causes)  # fmt: skip
    monkeypatch.setattr("flows.judge.judge_run", lambda *_: judged)
    for command in (["run", "corpus"], ["judge", "r", "--profile", "house"]):
        assert main(command) == code
        told = capsys.readouterr().err
        assert ("none of the 4 criteria could be scored" in told) is bool(code)
        assert all(f"{number} {cause}" in told for cause, number in causes.items() if code)


def test_the_table_of_an_sql_answer_says_not_scored_too(capsys: pytest.CaptureFixture[str]) -> None:
    _table(["cell", "pooled_pass", "min_quote"], [("down", None, None), ("up", 0.75, "x")])
    down, up = (line for line in capsys.readouterr().out.splitlines() if "down" in line or "up" in line)
    assert down.count("not scored") == 1
    assert "0.75" in up


def test_the_judge_stands_beside_its_score_with_its_version(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = JudgeResult(run_id="r", profile="house", profile_version="abc123", attempts=1, criteria=4, passed=3,
                         unscored=0, pooled_pass=0.75, cost_usd=0.0)  # fmt: skip
    monkeypatch.setattr("flows.judge.judge_run", lambda *_: judged)
    assert main(["judge", "r", "--profile", "house"]) == 0
    assert "by house (version abc123): 3 of 4" in capsys.readouterr().out
    assert main(["judge", "r", "--profile", "house", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["profile_version"] == "abc123"


def test_a_judge_that_scored_nothing_gives_no_rate(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for unscored, pooled, told in (
        (4, None, "by model:x: not scored,"),
        (2, 0.5, "by model:x: 1 of 2 criteria passed,"),
    ):
        passed = 0 if pooled is None else 1
        judged = JudgeResult(run_id="r", profile="model:x", attempts=1, criteria=4, passed=passed, unscored=unscored,
                             pooled_pass=pooled, cost_usd=0.0)  # fmt: skip
        monkeypatch.setattr("flows.judge.judge_run", lambda *_, made=judged: made)
        assert main(["judge", "r", "--profile", "model:x"]) == 0
        assert told in capsys.readouterr().out
        assert main(["judge", "r", "--profile", "model:x", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["pooled_pass"] == pooled


def test_problems_that_differ_in_their_subject_alone_share_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    def problem(subject: str, message: str = "has no rubric") -> Failure:
        return Failure(cause=FailureCause.INPUT, stage="judge", subject=subject, message=message)

    say_problems([problem("a"), problem("z", "is torn"), *map(problem, "bcdef")])
    alike, other = capsys.readouterr().err.splitlines()
    assert alike.startswith("skipped: a: has no rubric")
    assert alike.endswith("(and 5 more: b, c, d, …)")
    assert other.startswith("skipped: z: is torn")
