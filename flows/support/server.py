"""The Prefect server that Solon starts and stops: SQLite under its own home, a free port, one a home."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from flows.support.compute import QUIET
from flows.support.processes import is_alive, leave_note
from tasks.matter.failures import Failure, FailureCause, SolonError

_START_SECONDS = 120.0
_RECORDER = {
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_READ_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
    "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_READ_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_FLUSH_INTERVAL": "1",
}


@dataclass(frozen=True)
class Server:
    """A running server. ``pid`` is 0 for one that is not ours."""

    url: str
    pid: int = 0

    @property
    def ui(self) -> str:
        """Address of the UI."""
        return self.url.removesuffix("/api")


@contextmanager
def prefect_server(home: Path, *, keep: bool = False) -> Iterator[Server]:
    """Give a server: the configured one, the one that runs under ``home``, or a new one.

    Sets the environment of this process, and lets a Prefect that was imported before read it again. At the end the
    server is stopped when no other living command uses it, whoever started it, unless ``keep``.

    Raises:
        SolonError: It did not become healthy; the log's place is in the message.
    """
    os.environ.update(QUIET)
    os.environ.setdefault("PREFECT_HOME", str(home))
    os.environ.setdefault("PREFECT_LOGGING_LEVEL", "WARNING")
    # a failed stage is said by our own progress line; its trace is in the UI and in the log of the workers
    os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "CRITICAL")
    if configured := os.environ.get("PREFECT_API_URL"):
        reread_environment()
        yield Server(configured)
        return
    server = obtain(home)
    os.environ["PREFECT_API_URL"] = server.url
    reread_environment()
    try:
        yield server
    finally:
        os.environ.pop("PREFECT_API_URL", None)
        reread_environment()
        release(home, keep=keep)


def reread_environment() -> None:
    """Let a Prefect that was imported already know its server.

    Prefect reads the environment once, when it is imported; one that was imported without an address would start an
    ephemeral server of its own, slowly, and record the run where nobody looks.
    """
    context = sys.modules.get("prefect.context")
    if context is not None:
        context.refresh_global_settings_context()


def obtain(home: Path) -> Server:
    """Return the server of ``home``, started if need be, and note this process as one that uses it."""
    with _locked(home):  # two commands at once: the second reuses what the first started
        server = find(home) or _start(home)
        leave_note(home / "users", str(os.getpid()))
        return server


def release(home: Path, *, keep: bool = False) -> None:
    """End the use of the server; stop it when nobody alive uses it."""
    with _locked(home):
        (home / "users" / f"{os.getpid()}.json").unlink(missing_ok=True)
        for note in (home / "users").glob("*.json"):
            if not is_alive(note):
                note.unlink(missing_ok=True)
        if not keep and not list((home / "users").glob("*.json")):
            stop(home)


@contextmanager
def _locked(home: Path) -> Iterator[None]:
    home.mkdir(parents=True, exist_ok=True)
    with (home / "server.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def find(home: Path) -> Server | None:
    """Return the healthy server of ``home``, if one runs."""
    try:
        noted = json.loads((home / "server.json").read_text(encoding="utf-8"))
        server = Server(str(noted["url"]), int(noted["pid"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return server if _is_ours(server.pid) and healthy(server.url) else None


def stop(home: Path) -> bool:
    """Stop the server of ``home``; returns whether one ran."""
    try:
        pid = int(json.loads((home / "server.json").read_text(encoding="utf-8"))["pid"])
    except (OSError, ValueError, KeyError, TypeError):
        return False
    (home / "server.json").unlink(missing_ok=True)
    if not _is_ours(pid):
        return False
    for kind, patience in ((signal.SIGINT, 8.0), (signal.SIGKILL, 2.0)):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, kind)
        if _gone(pid, patience):
            break
    return True


def healthy(url: str, seconds: float = 2.0) -> bool:
    """Whether the API answers."""
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=seconds) as answer:  # noqa: S310 - our own http address
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError, ValueError):
        return False


def _start(home: Path) -> Server:
    port = _free_port()
    url = f"http://127.0.0.1:{port}/api"
    # as a quoted URI: a plain path ends at the first "?" of a folder's name
    database = f"sqlite+aiosqlite:///file:{quote(str(home / 'prefect.db'))}?uri=true"
    own = {"PREFECT_HOME": str(home), "PREFECT_SERVER_DATABASE_CONNECTION_URL": database, "PREFECT_UI_API_URL": url}
    log = (home / "server.log").open("ab")
    process = subprocess.Popen(
        [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port)],
        env={**os.environ, **QUIET, **_RECORDER, **own},
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    log.close()
    (home / "server.json").write_text(json.dumps({"pid": process.pid, "url": url}), encoding="utf-8")
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if healthy(url):
            return Server(url, process.pid)
        time.sleep(0.25)
    stop(home)
    raise SolonError(
        Failure(
            cause=FailureCause.UNKNOWN,
            stage="server",
            subject="Prefect server",
            message=f"did not start (log: {home / 'server.log'})",
            remedy="read the log, set PREFECT_API_URL to a running server, or SOLON_PREFECT=off",
        )
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _is_ours(pid: int) -> bool:
    """Whether ``pid`` is a Prefect server and not a stranger that was given its number."""
    try:
        return b"prefect" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def _gone(pid: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
        if not _is_ours(pid):
            return True
        time.sleep(0.1)
    return False
