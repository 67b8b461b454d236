"""Landing while a run goes on: when it is due, one at a time, and never at the cost of the run."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from flows import cli
from flows.runs.feed import Feed
from flows.settings import Settings, load_settings
from tasks.matter.failures import Failure, FailureCause, SolonError


class Plane:
    """Stands for a compute plane; a landing goes on until it is let go."""

    def __init__(self, failure: SolonError | None = None) -> None:
        self.begun: list[str] = []
        self.go, self.failure = threading.Event(), failure

    def submit(self, body: Any, settings: Settings, run_id: str, *, resources: Any) -> Plane:
        assert (body.__name__, resources.role) == ("land_so_far", "judge")
        self.begun.append(run_id)
        return self

    def result(self) -> bool:
        assert self.go.wait(20)
        if self.failure:
            raise self.failure
        return True


def settings(tmp_path: Path, every: float) -> Settings:
    return load_settings({"home": tmp_path / "home", "land_seconds": every}, cwd=tmp_path, env={})


def waited_for(plane: Plane, number: int) -> bool:
    deadline = time.monotonic() + 10
    while len(plane.begun) < number and time.monotonic() < deadline:
        time.sleep(0.01)
    return len(plane.begun) == number


def test_one_landing_at_a_time_and_the_run_waits_for_the_last(tmp_path: Path) -> None:
    plane = Plane()
    with Feed("r", settings(tmp_path, 0.001), plane) as feed:  # type: ignore[arg-type]
        time.sleep(0.01)
        feed.note()
        assert waited_for(plane, 1)
        feed.note()
        assert plane.begun == ["r"]
        plane.go.set()
        feed._landing.join(10)  # type: ignore[union-attr]
        time.sleep(0.01)
        feed.note()
    assert waited_for(plane, 2)


@pytest.mark.parametrize("every", [0.0, 3600.0])
def test_nothing_lands_before_it_is_due(tmp_path: Path, every: float) -> None:
    plane = Plane()
    with Feed("r", settings(tmp_path, every), plane) as feed:  # type: ignore[arg-type]
        feed.note()
    assert plane.begun == []


def test_a_landing_that_fails_is_told_and_costs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = Failure(cause=FailureCause.CAPACITY, stage="land", subject="w", message="the disk is full")
    plane = Plane(SolonError(told))
    plane.go.set()
    with Feed("r", settings(tmp_path, 0.001), plane) as feed:  # type: ignore[arg-type]
        time.sleep(0.01)
        feed.note()
    assert "not in the warehouse yet" in capsys.readouterr().err
    assert plane.begun == ["r"]


def test_a_run_that_breaks_off_does_not_wait_for_a_landing(tmp_path: Path) -> None:
    plane = Plane()

    def breaks_off() -> None:
        with Feed("r", settings(tmp_path, 0.001), plane) as feed:  # type: ignore[arg-type]
            time.sleep(0.01)
            feed.note()
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        breaks_off()
    plane.go.set()


def test_who_watches_is_told_what_came_and_is_not_told_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from warehouse.landing_result import LandingResult

    nothing = LandingResult(database=tmp_path / "w", published=True, landed={}, known=3)
    results = iter([nothing, nothing.model_copy(update={"landed": {"verdict": 2}}), nothing])
    slept: list[float] = []

    def land_runs(*_: Any) -> LandingResult:
        try:
            return next(results)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("flows.land.land_runs", land_runs)
    monkeypatch.setattr("flows.cli.land.time.sleep", slept.append)
    assert cli.main(["land", "--watch", "5", "--home", str(tmp_path / "home")]) == 0
    assert capsys.readouterr().out.count("landed 2 parts") == 1
    assert slept == [5.0, 5.0, 5.0]
