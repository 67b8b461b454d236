"""Doors to the compute plane: plain, or as thin Prefect tasks held by a thread of the driver."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from flows.compute.protocol import Compute, Handle, Resources


@dataclass
class Doors:
    """Submits bodies and waits for them, recording a task run a stage when asked to.

    Attributes:
        label: Matter and cell, for the names of task runs.
        recorded: True at detail ``stage``.
        seconds: Wall seconds by stage, as the driver saw them.
    """

    compute: Compute
    label: str
    recorded: bool
    seconds: dict[str, float] = field(default_factory=dict)

    def through(self, fn: Callable[..., Any], *args: Any, resources: Resources) -> Handle:
        """Submit a body, wait until it ended, and return its handle (the result stays where it is)."""
        handle = self.open(fn, *args, resources=resources)
        self.hold(handle, resources.stage)
        return handle

    def open(self, fn: Callable[..., Any], *args: Any, resources: Resources) -> Handle:
        """Submit a body without waiting."""
        return self.compute.submit(fn, *args, resources=resources)

    def hold(self, handle: Handle, stage: str) -> None:
        """Wait for a submitted body."""
        start = time.monotonic()
        try:
            _recorded(handle, stage, self.label) if self.recorded else handle.ready()
        finally:
            self.seconds[stage] = round(self.seconds.get(stage, 0.0) + time.monotonic() - start, 3)


def _recorded(handle: Handle, stage: str, label: str) -> None:
    from prefect import task
    from prefect.cache_policies import NO_CACHE

    def held() -> None:
        handle.ready()

    door = task(name=stage, task_run_name=f"{stage} {label}", cache_policy=NO_CACHE, persist_result=False)(held)
    door()
