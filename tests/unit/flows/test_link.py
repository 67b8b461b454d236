"""One failed call to the server is the last: it costs seconds, one line, and no result."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from flows.prefect import link as links
from flows.prefect import recording as records
from flows.prefect import server
from flows.prefect.link import Link
from flows.settings import Settings, load_settings


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server that accepts and never answers."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/api"
        monkeypatch.setenv("PREFECT_API_URL", url)
        yield url


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A cut link changes how Prefect behaves in this process."""
    monkeypatch.setenv("PREFECT_CLIENT_MAX_RETRIES", "5")
    raising = logging.raiseExceptions
    yield
    logging.raiseExceptions = raising
    logging.getLogger("prefect._internal.concurrency").disabled = False
    monkeypatch.undo()
    server.reread_environment()


def refuse() -> None:
    raise httpx.ConnectError("refused")


def test_after_one_refused_call_nothing_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    link, asked = Link(), list[int]()
    assert link.ask("sum", lambda a, b: a + b, 1, b=2) == 3
    assert link.ask("progress", refuse) is None
    assert link.ask("report", asked.append, 1) is None
    assert (link.cut, asked) == (True, [])
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "goes on without its records" in said


def test_what_the_server_itself_refuses_costs_that_record_alone(capsys: pytest.CaptureFixture[str]) -> None:
    def too_large() -> None:
        raise ValueError("422")

    link = Link()
    assert link.ask("report", too_large) is None
    assert link.ask("sum", lambda: 3) == 3
    assert not link.cut
    assert capsys.readouterr().err == "report not recorded: ValueError\n"


def test_a_call_that_is_retried_at_a_dead_server_is_left_soon(monkeypatch: pytest.MonkeyPatch, no_hang: None) -> None:
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    monkeypatch.setattr(links, "_SOON", 0.1)
    link = Link()
    assert link.ask("progress", time.sleep, 30) is None
    assert link.cut


def test_a_server_that_does_not_answer_is_left_at_the_deadline(
    silent: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(links, "_SOON", 0.1)
    monkeypatch.setattr(links, "reachable", lambda url: True)  # it listens
    link = Link(seconds=0.5)
    assert link.ask("progress", time.sleep, 30) is None
    assert link.cut
    assert "no answer for 0.5 s" in capsys.readouterr().err


def settings(tmp_path: Path) -> Settings:
    return load_settings({"home": tmp_path}, cwd=tmp_path, env={})


def test_a_configured_server_that_is_gone_costs_the_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], no_hang: None
) -> None:
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    done: list[str] = []
    records.recorded("x", "y", settings(tmp_path), lambda: done.append("a"), lambda: done.append("b"))
    assert done == ["b"]
    assert "does not answer" in capsys.readouterr().err


@pytest.mark.slow
def test_a_server_that_never_opens_the_run_costs_the_records(
    silent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(server, "reachable", lambda url: True)
    monkeypatch.setattr(records, "_OPENING", 1.0)
    server.reread_environment()
    done: list[str] = []
    records.recorded("x", "y", settings(tmp_path), lambda: done.append("a"), lambda: done.append("b"))
    assert done == ["b"]
    assert "no answer for 1 s" in capsys.readouterr().err
