"""``solon bench learner``: its JSON is a contract, and it says where it has nothing to compare."""

from __future__ import annotations

import json

import pytest

from flows.bench.registry import benches
from flows.cli import main
from tasks.matter.failures import SolonError


@pytest.mark.slow
def test_the_json_of_the_bench(capsys: pytest.CaptureFixture[str], tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["bench", "learner", "--limit", "20", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told["policies"]) == ["best_so_far", "blended_margin", "paired_sequential"]
    for row in told["policies"].values():
        assert 0 <= row["false_promotion"] <= 1
        assert list(row["power"]) == ["0.05", "0.10"]
        assert row["pairs"] > 0
    assert "learner" in benches()


def test_the_table_of_the_bench(capsys: pytest.CaptureFixture[str], tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["bench", "learner", "--limit", "10"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("paired_sequential ")]
    assert [line for line in lines if "deterministic cell" in line]


def test_one_run_alone_is_nothing_to_resample(tmp_path) -> None:
    from flows.bench.learner import measure_learner

    (tmp_path / "runs" / "r").mkdir(parents=True)
    with pytest.raises(SolonError, match="two are compared"):
        measure_learner(2, tmp_path / "runs")
