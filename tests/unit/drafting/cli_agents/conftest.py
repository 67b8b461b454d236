"""Runs a scripted agent program through the whole runtime."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tasks.drafting.cli_agents.records import Adapter, adapter
from tasks.drafting.cli_agents.runtime import ProgramPass
from tasks.drafting.records import DraftJob, WorkProduct
from tasks.matter.failures import SolonError
from tests.live.fake_endpoint import KEY, Endpoint, fake_endpoint
from tests.unit.drafting.cli_agents.matters import make_job, revising
from tests.unit.drafting.cli_agents.plain_sandbox import PlainSandbox
from tests.unit.drafting.cli_agents.scripted import script

PROFILES = {"messages": "anthropic/fake", "chat": "openai/fake", "responses": "openai/fake"}


class Stage:
    """One scripted run: the job, the sandbox and the endpoint, to be looked at afterwards."""

    def __init__(self, tmp_path: Path, name: str, endpoint: Endpoint, **cell: Any) -> None:
        os.environ["FAKE_KEY"] = KEY
        self.adapter = adapter(name)
        self.sandbox: Any
        self.tmp_path, self.endpoint = tmp_path, endpoint
        self.sandbox = cell.pop("sandbox", None) or PlainSandbox(tmp_path)
        self.python = cell.pop("python", sys.executable)
        profile = {"model": PROFILES[self.adapter.speaks], "api_base": endpoint.url, "api_key_env": "FAKE_KEY"}
        profile["prices"] = {"input_uncached": 1.0, "output": 2.0}
        limits = {"wall_seconds": 20, **cell.pop("limits", {})}
        self.job = make_job(tmp_path, name, profile, limits=limits, **cell)

    def run(self, body: str, job: DraftJob | None = None, **watch: Any) -> WorkProduct:
        quick = {"idle_seconds": 3.0, "linger_seconds": 0.5, "grace_seconds": 0.5, **watch}
        changed: Adapter = self.adapter.model_copy(update={"watch": self.adapter.watch.model_copy(update=quick)})
        environment = {**changed.call.environment, "SCRIPT_MODELS": "$models"}
        changed = changed.model_copy(update={"call": changed.call.model_copy(update={"environment": environment})})
        attempt = ProgramPass(job or self.job, changed)
        try:
            attempt.run(script(self.tmp_path, changed, body, self.python), self.sandbox)
        except SolonError as error:
            attempt.failures.append(error.failure)
        return attempt.product()

    def revise(self, body: str, report: str = "1. A flag.") -> WorkProduct:
        return self.run(body, revising(self.job, report))

    @property
    def left_running(self) -> list[int]:
        """Processes of the group of each program that still run; the dead wait for whoever adopted them."""
        groups = {process.pid for process in self.sandbox.started}
        return [int(p.name) for p in Path("/proc").iterdir() if p.name.isdigit() and _group(p) in groups]


def _group(process: Path) -> int:
    try:
        state, _, group = (process / "stat").read_text().rpartition(")")[2].split()[:3]
    except OSError:
        return 0
    return 0 if state == "Z" else int(group)


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Stage]]:
    monkeypatch.setenv("FAKE_KEY", KEY)
    opened = []

    def make(name: str, fail: Callable[[int], int] = lambda number: 0, **cell: Any) -> Stage:
        context = fake_endpoint(["Well."], fail)
        opened.append(context)
        return Stage(tmp_path, name, context.__enter__(), **cell)

    yield make
    for context in opened:
        context.__exit__(None, None, None)
