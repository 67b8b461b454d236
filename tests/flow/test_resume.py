"""kill -9 at any moment; the same run id then finishes exactly what is missing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from flows.runs.attempts import AttemptStore
from tests.flow.conftest import PROJECT, ask, in_process
from warehouse.sql import run_query


@pytest.mark.usefixtures("unchecked", "kept_workers", "unpictured")
def test_killed_and_resumed(
    corpus: Callable[..., Path], server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, home = corpus(3), tmp_path / "home"
    runs, warehouse = tmp_path / "elsewhere", tmp_path / "w" / "x.duckdb"  # each may lie apart from the home
    command = [sys.executable, "-m", "flows.cli", "run", str(root), "--run-id", "killed", "--workers", "1", "--json"]
    command += ["--runs", str(runs), "--warehouse", str(warehouse)]
    env = {**os.environ, "PYTHONPATH": str(PROJECT), "SOLON_HOME": str(home)}
    store = AttemptStore(runs, "killed")
    victim = subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 300
    while not store.ended() and time.monotonic() < deadline and victim.poll() is None:
        time.sleep(0.02)
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    before = {a.attempt_id: store.path(a).stat().st_mtime_ns for a in store.ended()}
    assert 1 <= len(before) < 3
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOLON_HOME", str(home))
    assert in_process(command[3:]) == 0  # what finishes the run was not killed, and needs no process of its own
    after = {a.attempt_id: store.path(a).stat().st_mtime_ns for a in store.ended()}
    assert len(after) == 3
    assert {k: after[k] for k in before} == before  # what ended was not touched
    assert {a.number for a in store.ended()} == {1}
    assert not list(store.folder.rglob("*.partial-*"))
    counts = run_query(warehouse, "SELECT count(*) AS n FROM attempt")
    assert counts.item() == 3
    runs = ask(server, "flow_runs", flow_runs={"name": {"any_": ["killed"]}})
    assert sorted(r["state"]["type"] for r in runs) == ["COMPLETED", "CRASHED"]
