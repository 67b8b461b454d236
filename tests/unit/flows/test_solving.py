"""The order of the stages is one, whoever runs them; results stay where they are unless the driver reads them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from flows.prefect.stage_runs import StageByStage, StageRuns
from flows.runs.context import RunContext
from flows.runs.orders import Order
from flows.runs.solving import InProcess, solve
from flows.settings import load_settings
from tasks.drafting.records import Cell
from tasks.harness import find_harness
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.loading import load_corpus
from tasks.reconcile.registry import GATES

pytestmark = pytest.mark.usefixtures("sealed_here")

STAGES = [
    "inventory", "asks", "index", "gather", "draft",
    *(f"check {gate}" for gate in GATES), "release",
    "trace", "words",
]  # fmt: skip


class Apart:
    """A compute plane whose driver is told apart from its stages: it counts what the driver fetches."""

    name, slots = "apart", 1

    def __init__(self) -> None:
        self.fetched: list[str] = []
        self.limits: dict[str, float] = {}

    def submit(self, fn: Callable[..., Any], *args: Any, resources: Any) -> Any:
        self.limits[resources.stage] = resources.seconds
        return Lying(self, resources.stage, fn(*(a.value if isinstance(a, Lying) else a for a in args)))


class Lying:
    def __init__(self, compute: Apart, stage: str, value: Any) -> None:
        self.compute, self.stage, self.value = compute, stage, value

    worked = None

    def ready(self) -> None: ...

    def result(self) -> Any:
        self.compute.fetched.append(self.stage)
        return self.value


@pytest.fixture
def order(make_task: Callable[..., Path], tmp_path: Path) -> Callable[[str], Order]:
    make_task(deliverables={"memo.md": "memo.md"})
    matter = load_corpus(tmp_path / "corpus", tmp_path / "sealed").matters[0]
    harness = find_harness()

    def make(name: str, revise: int = 0) -> Order:
        cell = Cell(name="extractive", runtime="extractive", revise=revise)
        folder = tmp_path / "attempts" / "a"
        shutil.rmtree(folder, ignore_errors=True)  # the same path for both, so that what they give can be compared
        folder.mkdir(parents=True)
        fields = {"run_id": "r", "matter": matter, "cell": cell, "epoch": 1, "number": 1, "harness": harness}
        return Order(**fields, folder=folder, cache=tmp_path / name)  # type: ignore[arg-type]

    return make


def by_stage(order: Order, tmp_path: Path) -> tuple[StageByStage, Apart]:
    compute = Apart()
    settings = load_settings({"home": tmp_path / "home", "stage_seconds": 7.0}, cwd=tmp_path, env={})
    context = RunContext.of(settings, None, compute, judge="", detail="stage")  # type: ignore[arg-type]
    return StageByStage(StageRuns(compute, order.label, recorded=False), partial(context.need, order)), compute


@pytest.mark.slow
def test_both_runners_take_a_matter_through_the_same_stages_to_the_same_end(order: Any, tmp_path: Path) -> None:
    here = solve(one := order("here"), InProcess())
    runner, compute = by_stage(two := order("apart"), tmp_path)
    apart = solve(two, runner)
    assert one.folder == two.folder
    assert list(here.stage_seconds) == list(apart.stage_seconds) == STAGES
    same = {"report", "words", "passes", "skill_id"}
    assert here.model_dump(include=same) == apart.model_dump(include=same)
    assert here.words > 0
    assert [f.sha256 for f in here.product.files] == [f.sha256 for f in apart.product.files]
    # the inventory and the checks of a large data room never come to the driver
    assert set(compute.fetched) == {"draft", "release", "trace", "words", "gather"}
    assert compute.limits["inventory"] == 7.0
    assert compute.limits["draft"] == two.cell.limits.wall_seconds + 60


def test_revision_is_bounded_and_sees_the_report(order: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from flows.runs import stages

    told: list[str] = []
    real, release = stages.draft, stages.release
    monkeypatch.setattr(stages, "draft", lambda *a: (told.append(a[4] if len(a) > 4 else ""), real(*a))[1])
    monkeypatch.setattr(stages, "release", lambda *a: release(*a).model_copy(update={"status": "released_with_flags"}))
    solved = solve(order("bounded", revise=2), InProcess())
    assert solved.passes == 2
    assert told[0] == ""
    assert all(report.startswith("# Release report: ") for report in told[1:])
    assert len(told) == 3


def test_the_time_of_a_stage_that_fails_is_kept(order: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from flows.runs import stages

    def refuse(*_: Any) -> None:
        raise SolonError(Failure(cause=FailureCause.TIMEOUT, stage="index", subject="index", message="stopped"))

    monkeypatch.setattr(stages, "index", refuse)
    runner = InProcess()
    with pytest.raises(SolonError):
        solve(order("broken"), runner)
    assert list(runner.seconds) == ["inventory", "asks", "index"]
