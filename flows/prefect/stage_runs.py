"""Stages on the compute plane: plain, or each as a thin Prefect task held by a thread of the driver."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from flows.compute.protocol import Compute, Handle, Resources


@dataclass
class StageRuns:
    """Submits stages and waits for them, recording a task run for each when asked to.

    Attributes:
        label: Matter and cell, for the names of task runs.
        recorded: True at detail ``stage``.
        seconds: Wall seconds by stage: its body's own where the compute plane tells them, else as the driver saw them.
        waited: Seconds in which stages stood in the queue for a worker and none was worked on.
    """

    compute: Compute
    label: str
    recorded: bool
    seconds: dict[str, float] = field(default_factory=dict)
    waited: float = 0.0

    def through(self, body: Callable[..., Any], *args: Any, resources: Resources) -> Handle:
        """Submit a stage, wait until it ended, and return its handle (the result stays where it is)."""
        handle = self.compute.submit(body, *args, resources=resources)
        self.hold({resources.stage: handle})
        return handle

    def hold(self, handles: Mapping[str, Handle]) -> None:
        """Wait for stages that were submitted together."""
        began, worked = time.monotonic(), 0.0
        for stage, handle in handles.items():
            start = time.monotonic()
            try:
                _recorded(handle, stage, self.label) if self.recorded else handle.ready()
            finally:
                held = time.monotonic() - start
                own = held if handle.worked is None else handle.worked
                worked += own
                self.seconds[stage] = round(self.seconds.get(stage, 0.0) + own, 3)
        self.waited += max(0.0, time.monotonic() - began - worked)


@dataclass(frozen=True)
class StageByStage:
    """Runs each stage on the compute plane; references travel between them. Implements ``Runner``.

    Attributes:
        need: What a stage needs, by its name.
    """

    stage_runs: StageRuns
    need: Callable[[str], Resources]

    @property
    def seconds(self) -> Mapping[str, float]:
        """Wall seconds by stage."""
        return self.stage_runs.seconds

    def run(self, stage: str, body: Callable[..., Any], *args: Any) -> Handle:
        """Run a stage."""
        return self.stage_runs.through(body, *args, resources=self.need(stage))

    def side_by_side(self, calls: Mapping[str, tuple[Any, ...]]) -> list[Handle]:
        """Submit all stages, then wait for each."""
        runs = self.stage_runs
        handles = {stage: runs.compute.submit(*call, resources=self.need(stage)) for stage, call in calls.items()}
        runs.hold(handles)
        return list(handles.values())


def _recorded(handle: Handle, stage: str, label: str) -> None:
    from prefect import task
    from prefect.cache_policies import NO_CACHE

    def held() -> None:
        handle.ready()

    shown = task(name=stage, task_run_name=f"{stage} {label}", cache_policy=NO_CACHE, persist_result=False)(held)
    shown()
