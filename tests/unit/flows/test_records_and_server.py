"""Records never decide about a run; a stranger's process is never taken for ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from flows.compute.protocol import QUIET
from flows.prefect import recording as records
from flows.prefect import server
from flows.prefect.artifacts import artifact_key
from flows.settings import Settings, load_settings
from tasks.matter.failures import Failure, FailureCause, SolonError


def settings(tmp_path: Path, **flags: str) -> Settings:
    return load_settings({"home": tmp_path, **flags}, cwd=tmp_path, env={})


def test_off_means_no_records(tmp_path: Path) -> None:
    done: list[str] = []
    records.recorded("x", "y", settings(tmp_path, prefect="off"), lambda: done.append("a"), lambda: done.append("b"))
    assert done == ["b"]
    assert not (tmp_path / "prefect").exists()


def test_a_server_that_does_not_start_costs_the_records_not_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(home: Path) -> None:
        raise SolonError(Failure(cause=FailureCause.UNKNOWN, stage="server", subject="Prefect", message="no port"))

    monkeypatch.setattr(server, "obtain_server", refuse)
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    for name in QUIET:  # set by the server; restored after the test
        monkeypatch.setenv(name, os.environ.get(name, ""))
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    monkeypatch.setenv("PREFECT_LOGGING_LEVEL", "WARNING")
    done: list[str] = []
    records.recorded("x", "y", settings(tmp_path), lambda: done.append("a"), lambda: done.append("b"))
    assert done == ["b"]
    assert "goes on without its records" in capsys.readouterr().err


def test_an_error_of_the_body_is_the_runs_own(tmp_path: Path) -> None:
    def body() -> None:
        raise SolonError(Failure(cause=FailureCause.INPUT, stage="x", subject="x", message="real"))

    with pytest.raises(SolonError, match="real"):
        records.recorded("x", "y", settings(tmp_path, prefect="off"), body, body)


def note(folder: Path, name: str, pid: int, started: str) -> None:
    (folder / f"{name}.json").write_text(json.dumps({"pid": pid, "started": started}))


def test_runs_of_dead_processes_are_marked_crashed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    mine = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
    note(tmp_path, "alive", os.getpid(), mine)
    note(tmp_path, "dead", gone.pid, "1")
    note(tmp_path, "reborn", os.getpid(), "7")  # the number was given to another process
    (tmp_path / "torn.json").write_text("{")
    marked: list[str] = []
    monkeypatch.setattr(records, "_set_crashed", marked.append)
    assert records.mark_crashed(tmp_path) == ["dead", "reborn", "torn"] == marked
    assert [p.stem for p in tmp_path.glob("*.json")] == ["alive"]


@pytest.mark.parametrize(
    "content", [None, "{", "[]", '{"url": 1}', '{"url": "http://127.0.0.1:1/api", "pid": 999999999}']
)
def test_no_server_is_found_where_none_runs(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "server.json").write_text(content)
    assert server.find_server(tmp_path) is None
    assert server.stop(tmp_path) is False


def test_the_last_user_stops_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped: list[Path] = []
    monkeypatch.setattr(server, "find_server", lambda home: server.Server("http://127.0.0.1:1/api", 1))
    monkeypatch.setattr(server, "stop", stopped.append)
    users = tmp_path / "users"
    server.obtain_server(tmp_path)
    other = users / "other.json"
    other.write_text((users / f"{os.getpid()}.json").read_text())  # another command that lives
    note(users, "killed", 999_999_999, "5")
    server.release_server(tmp_path)
    assert (stopped, [p.stem for p in users.iterdir()]) == ([], ["other"])
    other.unlink()
    server.obtain_server(tmp_path)
    server.release_server(tmp_path, keep=True)
    assert stopped == []
    server.obtain_server(tmp_path)
    server.release_server(tmp_path)
    assert stopped == [tmp_path]


def test_a_stranger_with_the_servers_number_is_left_alone(tmp_path: Path) -> None:
    stranger = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)"], start_new_session=True)
    try:
        (tmp_path / "server.json").write_text(json.dumps({"pid": stranger.pid, "url": "http://127.0.0.1:1/api"}))
        assert server.find_server(tmp_path) is None
        assert server.stop(tmp_path) is False
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_artifact_keys_are_accepted_and_unique() -> None:
    keys = {artifact_key("release", "r", m, "api:gpt") for m in ("tax/a b", "tax/a-b", "tax/A b", "tax/ä" * 60)}
    assert len(keys) == 4
    assert all(k == k.lower() and len(k) < 100 and set(k) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for k in keys)


@pytest.mark.slow
def test_a_prefect_that_was_imported_before_uses_our_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise it would start an ephemeral server of its own (it reads the environment when it is imported)."""
    from prefect.settings import get_current_settings

    url = "http://127.0.0.1:1/api"
    monkeypatch.setattr(server, "obtain_server", lambda home: server.Server(url))
    monkeypatch.setattr(server, "release_server", lambda home, keep: None)
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.delenv("PREFECT_SERVER_EPHEMERAL_ENABLED", raising=False)
    for name in ("PREFECT_HOME", "PREFECT_LOGGING_LEVEL", "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL"):
        monkeypatch.setenv(name, os.environ.get(name, "") or str(tmp_path) if name == "PREFECT_HOME" else "WARNING")
    server.reread_environment()
    with server.prefect_server(tmp_path):
        assert get_current_settings().api.url == url
        assert not get_current_settings().server.ephemeral.enabled
    assert get_current_settings().api.url is None
    assert not get_current_settings().server.ephemeral.enabled
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:2/api")  # a configured server, set after the import
    monkeypatch.setattr(server, "reachable", lambda url: True)
    with server.prefect_server(tmp_path):
        assert get_current_settings().api.url == "http://127.0.0.1:2/api"
    monkeypatch.undo()
    server.reread_environment()
