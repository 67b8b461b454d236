"""The order of the solver's stages, written once. A runner says where each stage runs and keeps its time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from flows.runs import stages
from flows.runs.orders import Order, Solved
from tasks.drafting.records import WorkProduct
from tasks.release.records import ReleaseReport

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Call = tuple[Any, ...]
"""A stage and its arguments: ``(body, order, ...)``."""


class Ref(Protocol[T_co]):
    """The result of a stage, wherever it lies. A later stage that is given the reference receives the result."""

    def result(self) -> T_co:
        """Fetch the result."""
        ...


class Runner(Protocol):
    """Runs the stages of one attempt."""

    @property
    def seconds(self) -> Mapping[str, float]:
        """Wall seconds by stage, also of one that failed."""
        ...

    def run(self, stage: str, body: Callable[..., T], *args: Any) -> Ref[T]:
        """Run a stage to its end; raises SolonError with the failure that ended it."""
        ...

    def side_by_side(self, calls: Mapping[str, Call]) -> Sequence[Ref[Any]]:
        """Run stages that do not need each other, by name; raises as ``run``."""
        ...


def solve(order: Order, runner: Runner) -> Solved:
    """Take a matter through the solver's stages, with at most ``order.cell.revise`` passes of revision."""
    state = runner.run("inventory", stages.inventory, order)
    asks = runner.run("asks", stages.asks, order, state)
    runner.run("index", stages.index, order)
    pack = runner.run("gather", stages.gather, order, state)

    def released() -> ReleaseReport:
        calls = {f"check {gate}": (stages.check, order, gate, state, asks, pack, product) for gate in stages.gates()}
        checks = runner.side_by_side(calls)
        return runner.run("release", stages.release, order, state, *checks).result()

    product = runner.run("draft", stages.draft, order, state, asks, pack)
    report = released()
    passes = 0
    while needs_revision(order, product.result(), report, passes):
        passes += 1
        product = runner.run("revise", stages.draft, order, state, asks, pack, stages.render(report))
        report = released()
    trajectory = runner.run("trace", stages.trace, order, pack, product, report)
    return Solved(
        product=product.result(),
        report=report,
        trajectory=trajectory.result(),
        words=runner.run("words", stages.words, order).result(),
        passes=passes,
        skill_id=pack.result().skill.skill_id,
        stage_seconds=dict(runner.seconds),
    )


def needs_revision(order: Order, product: WorkProduct, report: ReleaseReport, passes: int) -> bool:
    """Say whether another bounded pass is due."""
    return product.outcome == "finished" and report.status != "released" and passes < order.cell.revise


@dataclass(frozen=True)
class Held(Generic[T]):
    """A result in this process."""

    value: T

    def result(self) -> T:
        """Return it."""
        return self.value


@dataclass
class InProcess:
    """Runs the stages in this process, one after the other. Implements ``Runner``."""

    seconds: dict[str, float] = field(default_factory=dict)

    def run(self, stage: str, body: Callable[..., T], *args: Any) -> Ref[T]:
        """Run a stage."""
        start = time.monotonic()
        try:
            return Held(body(*(a.value if isinstance(a, Held) else a for a in args)))
        finally:
            self.seconds[stage] = round(self.seconds.get(stage, 0.0) + time.monotonic() - start, 3)

    def side_by_side(self, calls: Mapping[str, Call]) -> Sequence[Ref[Any]]:
        """Run the stages in turn: this process is given one CPU."""
        return [self.run(stage, *call) for stage, call in calls.items()]


def solve_in_process(order: Order) -> Solved:
    """Run all stages as one body of the compute plane (detail matter and batch)."""
    return solve(order, InProcess())
