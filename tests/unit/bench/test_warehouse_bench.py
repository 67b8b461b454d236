"""The bench runs and measures what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.bench.warehouse import kills
from flows.bench.warehouse.kills import measure_kills
from flows.bench.warehouse.measure import measure_warehouse


@pytest.mark.thorough
def test_the_bench_measures() -> None:
    result = measure_warehouse(attempts=10, criteria=3)
    assert (result["attempts"], result["verdicts"]) == (10, 30)
    assert all(result[name] > 0 for name in result if name.endswith(("_seconds", "_per_second")))
    assert result["growth"] > 0
    assert result["rows"] > 10 * 80
    assert result["questions"] > 30


@pytest.mark.thorough
def test_a_killed_landing_loses_nothing_and_lands_nothing_twice(tmp_path: Path) -> None:
    result = measure_kills(tmp_path, moments=2)
    assert result["killed"] + result["ended"] == 2
    assert result["wrong"] == []


@pytest.mark.thorough
def test_the_bench_sees_what_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = kills._counts
    monkeypatch.setattr(kills, "_counts", lambda database: held(database) | {"action": held(database)["action"] - 1})
    assert all("action" in line for line in measure_kills(tmp_path, moments=1)["wrong"])
