"""Schedules: read from solon.toml, served to Prefect, and the deployment file that a worker would read."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from flows import health
from flows.prefect.scheduler import ScheduleStanding
from flows.schedule import read_schedules
from flows.settings import load_settings
from tasks.matter.failures import SolonError
from tests.flow.conftest import PROJECT, ask
from warehouse.sql import run_query

NIGHTLY = '[schedules.nightly]\ncorpus = "corpus"\ncells = ["extractive"]\ncron = "0 3 * * *"\n'


def test_corpora_lie_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "solon.toml").write_text(NIGHTLY)
    (tmp_path / "deep").mkdir()
    found = read_schedules(load_settings(cwd=tmp_path / "deep", env={}))
    assert found["nightly"].corpus == str(tmp_path / "corpus")
    assert found["nightly"].timezone == "UTC"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ('cron = "0 3 * *"', "five fields"),
        ('cron = "99 99 * * *"', "out of range"),
        ('cron = "*/0 * * * *"', "out of range"),
        ('cron = "H 3 * * *"', "not understood"),
        ('cron = "0 0 31 2 *"', "does not exist"),
        ('timezone = "Mars/Olympus"', "not known"),
        ("cells = 3", "cells"),
        ("limt = 3", "limt"),
    ],
)
def test_a_malformed_schedule_is_one_line(tmp_path: Path, change: str, words: str) -> None:
    key = change.partition(" =")[0]
    kept = [line for line in NIGHTLY.splitlines() if not line.startswith(f"{key} ")]
    (tmp_path / "solon.toml").write_text("\n".join([*kept, change]))
    with pytest.raises(SolonError, match=r"schedules\.nightly") as caught:
        read_schedules(load_settings(cwd=tmp_path, env={}))
    assert words in str(caught.value) or words in caught.value.failure.message
    assert "\n" not in str(caught.value)


def test_the_deployment_file_names_our_flow() -> None:
    from prefect.schedules import Cron

    from flows.deployed import corpus_flow

    given = yaml.safe_load((PROJECT / "deploy" / "prefect.yaml").read_text())
    for deployment in given["deployments"]:
        file, name = deployment["entrypoint"].split(":")
        assert (PROJECT / file).is_file()
        assert name == "corpus_flow"
        corpus_flow.validate_parameters(deployment["parameters"])
        for schedule in deployment["schedules"]:
            assert Cron(schedule["cron"], timezone=schedule["timezone"]).cron == schedule["cron"]


@pytest.mark.slow
def test_serve_registers_the_schedules(tmp_path: Path, server: str) -> None:
    (tmp_path / "solon.toml").write_text(NIGHTLY)
    serving = subprocess.Popen(
        [sys.executable, "-m", "flows.cli", "serve", "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert serving.stdout
        ready = json.loads(serving.stdout.readline())
        assert ready["deployments"] == ["nightly"]
        found = _deployments(server)
    finally:
        serving.send_signal(signal.SIGINT)
        said = serving.communicate(timeout=60)[1]
    assert [(d["name"], d["schedules"][0]["schedule"]["cron"]) for d in found] == [("nightly", "0 3 * * *")], said
    assert "Traceback" not in said


def _deployments(url: str) -> list[dict[str, Any]]:
    for _ in range(480):
        if found := ask(url, "deployments"):
            return found
        time.sleep(0.25)
    return []


EVERY_MINUTE = '[schedules.minutely]\ncorpus = "corpus"\ncells = ["extractive"]\ncron = "* * * * *"\n'
BROKEN = '[schedules.broken]\ncorpus = "nowhere"\ncron = "* * * * *"\n'


class Serving:
    """``solon serve`` on its own server, with its home given by a flag."""

    def __init__(self, folder: Path, *, patch: str = "") -> None:
        self.home = folder / "elsewhere"
        env = {k: v for k, v in os.environ.items() if k not in {"PREFECT_API_URL", "SOLON_HOME"}}
        (folder / "patch").mkdir(exist_ok=True)
        (folder / "patch" / "sitecustomize.py").write_text(patch)
        env["PYTHONPATH"] = f"{folder / 'patch'}{os.pathsep}{PROJECT}"
        self.error = folder / "serve.err"
        with self.error.open("w") as error:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "flows.cli", "serve", "--json", "--home", str(self.home)],
                cwd=folder,
                env=env,
                stdout=subprocess.PIPE,
                stderr=error,
                text=True,
            )
        assert self.process.stdout
        self.url = json.loads(self.process.stdout.readline() or '{"ui": ""}')["ui"] + "/api"

    def runs(self, deployment: str) -> list[dict[str, Any]]:
        """Flow runs of a deployment that are no longer only scheduled."""
        found = ask(self.url, "flow_runs", deployments={"name": {"any_": [deployment]}})
        return [run for run in found if run["state_type"] not in {"SCHEDULED", "PENDING"}]

    def end(self) -> tuple[int, float]:
        """Terminate it; returns the exit code, and the seconds it took."""
        begun = time.monotonic()
        self.process.terminate()
        return self.process.wait(timeout=90), time.monotonic() - begun


def _living(home: Path) -> list[str]:
    """Processes whose command line or environment names a home."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if os.fsencode(home) in (place / "environ").read_bytes() + (place / "cmdline").read_bytes():
                found.append((place / "cmdline").read_bytes().decode())
        except OSError:
            continue
    return found


@pytest.mark.faults
def test_a_cron_makes_runs_whose_scores_are_in_the_warehouse(corpus: Callable[..., Path], tmp_path: Path) -> None:
    """The real door: cron of a minute, one flow run for each, named; a schedule that fails says so and hurts none."""
    corpus(1)
    (tmp_path / "solon.toml").write_text(EVERY_MINUTE + BROKEN)
    serving = Serving(tmp_path)
    try:
        deadline = time.monotonic() + 150
        while time.monotonic() < deadline and serving.process.poll() is None:
            runs, broken = serving.runs("minutely"), serving.runs("broken")
            if broken and any(run["state_type"] == "COMPLETED" for run in runs):
                break
            time.sleep(1)
        everything = ask(serving.url, "flow_runs", flow_runs={"state": {"type": {"not_any_": ["SCHEDULED"]}}})
    finally:
        code, seconds = serving.end()
    said = serving.error.read_text()
    first = min(runs, key=lambda run: run["expected_start_time"])
    due = first["expected_start_time"][:16].replace("T", " ")
    assert (first["name"], first["state_type"]) == (f"minutely {due}", "COMPLETED"), said
    assert "1 matters" in first["state"]["message"]
    assert len(json.dumps(first["parameters"])) < 300
    assert {run["deployment_id"] is None for run in everything} == {False}  # no second flow run beside it
    assert len({(run["deployment_id"], run["expected_start_time"]) for run in everything}) == len(everything)
    failed = min(broken, key=lambda run: run["expected_start_time"])
    assert failed["state_type"] == "FAILED"
    assert "nowhere" in failed["state"]["message"]
    assert "Traceback" not in said
    run_id = f"minutely-{due.replace(' ', '-').replace(':', '')}"
    table = "SELECT run_id, matters, criteria FROM cells"
    scores = run_query(serving.home / "warehouse" / "solon.duckdb", table, run_id=run_id)
    assert scores.rows() == [(run_id, 1, 3)]
    assert (code, seconds < 60) == (0, True), said
    assert not _living(serving.home)


@pytest.mark.faults
def test_a_scheduler_that_fails_is_said(tmp_path: Path) -> None:
    """As with SQLAlchemy 2.1: the server answers, and inserts no run."""
    (tmp_path / "solon.toml").write_text(NIGHTLY)
    (tmp_path / "corpus").mkdir()
    patch = (
        "import os\n"
        "os.environ['PREFECT_SERVER_SERVICES_SCHEDULER_ENABLED'] = 'false'\n"
        "import flows.schedule\n"
        "flows.schedule.serve.__defaults__ = (8.0,)\n"
    )
    serving = Serving(tmp_path, patch=patch)
    assert serving.process.wait(timeout=90) == 1
    said = serving.error.read_text()
    assert "nightly has no run scheduled" in said
    assert "server.log" in said
    assert "Traceback" not in said
    assert not _living(serving.home)


def test_overdue_runs_are_seen_and_missed_ones_dropped(server: str) -> None:
    """Runs that fell due while nothing served them are no pile to be worked off."""
    from prefect.client.orchestration import get_client
    from prefect.states import Scheduled

    from flows.deployed import corpus_flow
    from flows.prefect.scheduler import drop_missed, standings

    with get_client(sync_client=True) as client:
        flow_id = client.create_flow(corpus_flow)
        deployment_id = client.create_deployment(flow_id, "stood-still")
        for minutes in (-30, -20, 30):
            due = datetime.now(UTC) + timedelta(minutes=minutes)
            client.create_flow_run_from_deployment(deployment_id, state=Scheduled(scheduled_time=due))
    before = next(s for s in standings(server) if s.name == "stood-still")
    assert (before.overdue, before.next is not None) == (2, True)
    assert drop_missed(server, {"stood-still"}) == {"stood-still": 2}
    after = next(s for s in standings(server) if s.name == "stood-still")
    assert (after.overdue, after.next) == (0, before.next)


@pytest.mark.parametrize(
    ("active", "upcoming", "overdue", "fault"),
    [
        (True, True, 0, ""),
        (True, False, 0, "nightly has no run scheduled"),
        (True, True, 2, "nightly has 2 overdue runs"),
        (False, False, 2, ""),
    ],
)
def test_what_is_wrong_with_a_schedule(active: bool, upcoming: bool, overdue: int, fault: str) -> None:
    due = datetime.now(UTC) if upcoming else None
    assert ScheduleStanding(name="nightly", active=active, next=due, overdue=overdue).fault == fault


def test_the_doctor_looks_at_the_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings({"home": tmp_path}, cwd=tmp_path, env={})
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    assert (health._schedules(settings).ok, "no server" in health._schedules(settings).detail) == (True, True)
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    assert "does not answer" in health._schedules(settings).detail
    monkeypatch.setattr("flows.prefect.server.reachable", lambda url: True)
    standing = ScheduleStanding(name="nightly", active=True, next=None, overdue=0)
    monkeypatch.setattr("flows.prefect.scheduler.standings", lambda url: [standing])
    assert (health._schedules(settings).ok, health._schedules(settings).detail) == (
        False,
        "nightly has no run scheduled",
    )


@pytest.mark.parametrize(("version", "ok"), [("2.0.58", True), ("2.1.0", False), ("3.0.0b1", False)])
def test_the_doctor_knows_the_sqlalchemy_that_schedules_nothing(
    monkeypatch: pytest.MonkeyPatch, version: str, ok: bool
) -> None:
    monkeypatch.setattr(health.metadata, "version", lambda name: version)
    assert health._sqlalchemy().ok is ok
