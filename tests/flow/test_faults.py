"""What is killed or told to end in mid-run: results stay, nothing is left running, and it takes seconds."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flows.prefect.processes import started, sweep_owned
from tests.flow.conftest import PROJECT, ask
from warehouse.sql import run_query

MARK = "SOLON_TEST_MARK"


class Run:
    """A ``solon run`` in a process of its own, with a mark that everything it starts inherits."""

    def __init__(self, folder: Path, *args: str, api: str = "") -> None:
        self.home, self.mark = folder / "home", f"{os.getpid()}-{folder.name}-{time.monotonic_ns()}"
        env = {k: v for k, v in os.environ.items() if k != "PREFECT_API_URL"}
        env.update({"PYTHONPATH": str(PROJECT), MARK: self.mark, "SOLON_HOME": str(self.home)})
        if api:
            env["PREFECT_API_URL"] = api
        self.error = folder / "stderr"
        with self.error.open("w") as error:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "flows.cli", *args], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=error
            )

    def ended(self) -> list[Path]:
        """Attempts that have ended."""
        return [p for p in self.home.glob("runs/*/**/attempt.json") if ".partial" not in str(p)]

    def going(self) -> list[Path]:
        """Attempts that are under way."""
        return list(self.home.glob("runs/*/*/*/*/.*.partial-*"))

    def left(self) -> list[str]:
        """Processes that bear the mark."""
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            try:
                marked = f"{MARK}={self.mark}".encode() in (place / "environ").read_bytes().split(b"\0")
                if marked and (place / "stat").read_text().rpartition(")")[2].split()[0] != "Z":
                    found.append(f"{place.name} {(place / 'cmdline').read_bytes()[:200]!r}")
            except OSError:
                continue
        return found

    def wait(self, true: Callable[[], object], seconds: float = 180.0) -> None:
        """Wait until something is so, or the command has ended."""
        deadline = time.monotonic() + seconds
        while not true() and self.process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        assert true(), self.error.read_text()

    def nothing_left(self, seconds: float = 20.0) -> None:
        """Assert that nothing it started lives after some seconds."""
        deadline = time.monotonic() + seconds
        while (left := self.left()) and time.monotonic() < deadline:
            time.sleep(0.2)
        assert not left

    def kill(self) -> None:
        """Kill it and whatever bears its mark."""
        self.process.kill()
        self.process.wait()
        for line in self.left():
            os.kill(int(line.split()[0]), signal.SIGKILL)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Run]]:
    runs: list[Run] = []

    def begin(*args: str, api: str = "") -> Run:
        runs.append(Run(tmp_path, *args, api=api))
        return runs[-1]

    yield begin
    for run in runs:
        run.kill()


@pytest.fixture
def deaf_model() -> Iterator[str]:
    """A profile whose endpoint takes every question and answers none."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        yield f'[models.deaf]\nmodel = "openai/x"\napi_base = "{address}"\nretries = 0\n'


def server_of(run: Run) -> int:
    return int(json.loads((run.home / "prefect" / "server.json").read_text())["pid"])


@pytest.mark.faults
def test_a_server_killed_in_mid_run_costs_its_records_alone(corpus, start, tmp_path: Path) -> None:
    run = start("run", str(corpus(6)), "--run-id", "r", "--workers", "1")
    run.wait(run.ended)
    os.kill(server_of(run), signal.SIGKILL)
    assert run.process.wait(timeout=120) == 0  # it took more than five minutes
    assert len(run.ended()) == 6
    last = max(p.stat().st_mtime for p in run.ended())
    assert time.time() - last < 60  # landing and its checks included
    said = run.error.read_text()
    assert said.count("goes on without its records") == 1
    assert "Traceback" not in said
    assert run_query(run.home / "warehouse" / "solon.duckdb", "SELECT matters FROM cells").item() == 6
    run.nothing_left()


@pytest.mark.faults
@pytest.mark.parametrize("kind", [signal.SIGTERM, signal.SIGINT])
def test_a_run_told_to_end_does_so_within_seconds(corpus, start, deaf_model: str, tmp_path: Path, kind) -> None:
    (tmp_path / "solon.toml").write_text(deaf_model)
    run = start("run", str(corpus(4)), "--run-id", "r", "--cell", "api:deaf", "--workers", "2")
    run.wait(run.going)
    time.sleep(3)
    begun = time.monotonic()
    run.process.send_signal(kind)
    assert run.process.wait(timeout=60) == 1
    assert time.monotonic() - begun < 20
    assert "interrupted" in run.error.read_text()
    assert not run.ended()  # an attempt that was stopped is nobody's failure: it is made again
    run.nothing_left(5)


@pytest.mark.faults
def test_a_killed_driver_leaves_nothing_behind(corpus, start, deaf_model: str, tmp_path: Path) -> None:
    (tmp_path / "solon.toml").write_text(deaf_model)
    run = start("run", str(corpus(4)), "--run-id", "r", "--cell", "api:deaf", "--workers", "2")
    run.wait(run.going)
    server = server_of(run)
    assert any(line.startswith(f"{server} ") for line in run.left())
    run.process.kill()
    run.process.wait()
    run.nothing_left()


@pytest.mark.faults
def test_a_server_that_another_command_uses_outlives_a_killed_one(corpus, start, deaf_model: str, tmp_path) -> None:
    (tmp_path / "solon.toml").write_text(deaf_model)
    run = start("run", str(corpus(2)), "--run-id", "r", "--cell", "api:deaf", "--workers", "1")
    run.wait(run.going)
    users = run.home / "prefect" / "users"
    mine = users / "other.json"
    mine.write_text(json.dumps({"pid": os.getpid(), "started": started(os.getpid())}))
    server = server_of(run)
    run.process.kill()
    run.process.wait()
    time.sleep(5)
    assert [line.split()[0] for line in run.left()] == [str(server)]
    mine.unlink()
    run.nothing_left()


@pytest.mark.faults
def test_what_a_killed_run_left_running_is_marked_with_its_task_runs(
    corpus, start, deaf_model: str, tmp_path: Path, server: str
) -> None:
    (tmp_path / "solon.toml").write_text(deaf_model)
    arguments = ("run", str(corpus(2)), "--run-id", tmp_path.name, "--workers", "2")
    run = start(*arguments, "--cell", "api:deaf", api=server)
    wanted = {"flow_runs": {"name": {"any_": [tmp_path.name]}}}

    def states() -> list[str]:
        return sorted(t["state_type"] for t in ask(server, "task_runs", **wanted))

    run.wait(lambda: states().count("RUNNING") >= 2)
    run.process.kill()
    run.process.wait()
    again = start(*arguments[:-2], "--cell", "extractive", "--run-id", "other", api=server)
    assert again.process.wait(timeout=120) == 0, again.error.read_text()
    assert set(states()) == {"CRASHED"}
    assert [f["state_type"] for f in ask(server, "flow_runs", **wanted)] == ["CRASHED"]


@pytest.mark.faults
def test_agents_that_a_killed_ray_driver_left_are_swept_up(corpus, start, deaf_model: str, tmp_path: Path) -> None:
    (tmp_path / "solon.toml").write_text(deaf_model)
    arguments = ("run", str(corpus(2)), "--run-id", "r", "--cell", "api:deaf", "--compute", "ray")
    run = start(*arguments)
    run.wait(run.going)
    run.process.kill()
    run.process.wait()
    time.sleep(12)  # what ends by itself has ended; the agents of Ray have not
    sweep_owned()
    run.nothing_left()
