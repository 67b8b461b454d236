"""Time that a stage stands in the queue for a worker is no time of its attempt."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import pytest

from flows.compute.inline import InlineCompute
from flows.compute.protocol import Resources
from flows.prefect.stage_runs import StageByStage, StageRuns


class Clock:
    """Goes on only while a handle is waited for."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


CLOCK = Clock()


@pytest.fixture(autouse=True)
def _by_that_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flows.prefect.stage_runs.time", CLOCK)


@dataclass
class Held:
    """A handle whose body took less than it was waited for."""

    held: float
    worked: float | None

    def ready(self) -> None:
        CLOCK.now += self.held

    def result(self) -> None: ...


class Queue:
    """A plane that gives its handles in turn."""

    name, slots = "queue", 1

    def __init__(self, *handles: Held) -> None:
        self.handles = list(handles)

    def submit(self, fn: Any, *args: Any, resources: Resources) -> Held:
        return self.handles.pop(0)


def runs(*handles: Held) -> StageRuns:
    return StageRuns(Queue(*handles), "m", recorded=False)  # type: ignore[arg-type]


def test_a_stage_that_stood_in_the_queue_counts_what_it_worked() -> None:
    one = runs(Held(0.2, 0.05), Held(0.1, None))
    one.through(print, resources=Resources("draft"))
    assert one.seconds["draft"] == 0.05
    assert one.waited == pytest.approx(0.15)
    one.through(print, resources=Resources("check"))
    assert one.seconds["check"] == pytest.approx(0.1), "a plane that tells nothing is believed"
    assert one.waited == pytest.approx(0.15)


def test_stages_side_by_side_wait_only_while_none_of_them_is_worked_on() -> None:
    one = runs(Held(0.1, 0.08), Held(0.1, 0.08))
    StageByStage(one, Resources).side_by_side({"a": (print,), "b": (print,)})
    assert one.waited == pytest.approx(0.04)
    both = runs(Held(0.1, 0.1), Held(0.0, 0.1))
    StageByStage(both, Resources).side_by_side({"a": (print,), "b": (print,)})
    assert both.waited == 0.0


def test_workers_of_this_machine_tell_how_long_a_body_took() -> None:
    compute = InlineCompute(1, {}, {})
    try:
        began = time.monotonic()
        first, second = (compute.submit(time.sleep, 0.3, resources=Resources("nap")) for _ in range(2))
        second.ready()
        both = time.monotonic() - began
        worked = [handle.worked or 0.0 for handle in (first, second)]
        assert min(worked) >= 0.3
        assert sum(worked) <= both, "the first had the worker until then"
    finally:
        compute.close()


@pytest.mark.slow
def test_dask_tells_how_long_a_body_took() -> None:
    from flows.compute.dask import DaskCompute

    compute = DaskCompute("", 1, {})
    try:
        began = time.monotonic()
        first, second = (compute.submit(time.sleep, 0.3, resources=Resources("nap")) for _ in range(2))
        second.ready()
        first.ready()
        both = time.monotonic() - began
        worked = [handle.worked or 0.0 for handle in (first, second)]
        assert min(worked) >= 0.3
        assert sum(worked) <= both
    finally:
        compute.close()
