"""The table of cells shows no rate where nothing was scored, and the JSON says null."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.cli.common import say_json
from flows.cli.run import _show
from flows.corpus import RunResult
from flows.runs.summary import summarize
from tests.unit.flows.test_attempts import BROKEN, SCORED, attempt


def test_nothing_scored_is_no_rate(capsys: pytest.CaptureFixture[str]) -> None:
    cells = (summarize("down", [attempt(**BROKEN)]), summarize("up", [attempt(**SCORED)]), summarize("none", []))
    result = RunResult(run_id="r", cells=cells, warehouse=Path("w.duckdb"), report=None)
    _show(result, Path("runs/r"))
    rows = {line.split()[0]: line.split() for line in capsys.readouterr().out.splitlines() if line.strip()}
    assert rows["down"][3:5] == ["–", "0.0%"]
    assert rows["up"][3:5] == ["75.0%", "0.0%"]
    assert rows["none"][3:5] == ["–", "–"]
    say_json(result.model_dump(mode="json", include={"cells"}))
    printed = json.loads(capsys.readouterr().out)["cells"]
    assert [(c["pooled_pass"], c["all_pass"]) for c in printed] == [(None, 0.0), (0.75, 0.0), (None, None)]
