"""The Prefect server that Solon starts and stops: SQLite under its own home, a free port, one server per home."""

from __future__ import annotations

import contextlib
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

from flows.compute.protocol import QUIET
from flows.prefect.processes import leave_note
from flows.prefect.served import locked, server_is_wanted
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.interpreter import SAFE_PATH, import_path, module_command

_START_SECONDS = 120.0  # in which the server must answer; its first start makes a database
_SERVED = "flows.prefect.served"
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
    retries = os.environ.get("PREFECT_CLIENT_MAX_RETRIES")
    configured = os.environ.get("PREFECT_API_URL")
    server = _configured(configured) if configured else obtain_server(home)
    os.environ["PREFECT_API_URL"] = server.url
    reread_environment()
    try:
        yield server
    finally:
        _restore("PREFECT_API_URL", configured)
        _restore("PREFECT_CLIENT_MAX_RETRIES", retries)  # what a cut link changed
        reread_environment()
        if not configured:
            release_server(home, keep=keep)


def _restore(name: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


def _configured(url: str) -> Server:
    """Return the server that PREFECT_API_URL names, if it answers; else Prefect would retry each call for a minute."""
    for _ in range(3):
        if reachable(url):
            return Server(url)
        time.sleep(0.5)
    raise SolonError(
        Failure(
            cause=FailureCause.UNKNOWN,
            stage="server",
            subject=url,
            message="the Prefect server that PREFECT_API_URL names does not answer",
            remedy="start it, or unset PREFECT_API_URL",
        )
    )


def reread_environment() -> None:
    """Make an already imported Prefect use its server.

    Prefect reads the environment once, when it is imported; one that was imported without an address would start an
    ephemeral server of its own, slowly, and record the run where nobody looks.
    """
    context = sys.modules.get("prefect.context")
    if context is not None:
        context.refresh_global_settings_context()


def obtain_server(home: Path) -> Server:
    """Return the server of ``home``, starting it if necessary, and record this process as a user of it."""
    with locked(home):  # two commands at once: the second reuses what the first started
        note = leave_note(home / "users", str(os.getpid()))  # first: a server without a user ends by itself
        try:
            return find_server(home) or _start(home)
        except BaseException:
            note.unlink(missing_ok=True)
            raise


def release_server(home: Path, *, keep: bool = False) -> None:
    """End this process's use of the server; stop the server when no running process uses it."""
    with locked(home):
        (home / "users" / f"{os.getpid()}.json").unlink(missing_ok=True)
        kept = home / "keep"
        kept.touch() if keep else kept.unlink(missing_ok=True)
        if not server_is_wanted(home):
            stop(home)


def find_server(home: Path) -> Server | None:
    """Return the healthy server of ``home``, if one runs."""
    try:
        noted = json.loads((home / "server.json").read_text(encoding="utf-8"))
        server = Server(str(noted["url"]), int(noted["pid"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return server if _is_ours(server.pid, home) and healthy(server.url) else None


def stop(home: Path) -> bool:
    """Stop the server of ``home``; returns whether one ran."""
    try:
        pid = int(json.loads((home / "server.json").read_text(encoding="utf-8"))["pid"])
    except (OSError, ValueError, KeyError, TypeError):
        return False
    (home / "server.json").unlink(missing_ok=True)
    (home / "keep").unlink(missing_ok=True)
    if not _is_ours(pid, home):
        return False
    for kind, patience in ((signal.SIGINT, 8.0), (signal.SIGKILL, 2.0)):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, kind)
        if _ended_in_time(pid, home, patience):
            break
    return True


def healthy(url: str, seconds: float = 2.0) -> bool:
    """Whether the API answers."""
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=seconds) as answer:  # noqa: S310 - our own http address
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError, ValueError):
        return False


def reachable(url: str, seconds: float = 5.0) -> bool:
    """Whether anything answers at an API's address, even if it refuses us."""
    try:
        urllib.request.urlopen(f"{url}/health", timeout=seconds).close()  # noqa: S310 - the user's own address
    except urllib.error.HTTPError:
        return True
    except (OSError, ValueError):
        return False
    return True


def _start(home: Path) -> Server:
    port = _free_port()
    url = f"http://127.0.0.1:{port}/api"
    # as a quoted URI: a plain path ends at the first "?" of a folder's name
    database = f"sqlite+aiosqlite:///file:{quote(str(home / 'prefect.db'))}?uri=true"
    own = {"PREFECT_HOME": str(home), "PREFECT_SERVER_DATABASE_CONNECTION_URL": database, "PREFECT_UI_API_URL": url}
    log = (home / "server.log").open("ab")
    process = subprocess.Popen(
        module_command(_SERVED, str(home), "server", "start", "--host", "127.0.0.1", "--port", str(port)),
        env={**os.environ, **QUIET, **_RECORDER, **own, **SAFE_PATH, "PYTHONPATH": import_path()},
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


def _is_ours(pid: int, home: Path) -> bool:
    """Tell whether ``pid`` is the Prefect server of ``home``, and not another process with the same number."""
    try:
        arguments = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        return _SERVED.encode() in arguments and os.fsencode(home) in arguments
    except OSError:
        return False


def _ended_in_time(pid: int, home: Path, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
        if not _is_ours(pid, home):
            return True
        time.sleep(0.1)
    return False
