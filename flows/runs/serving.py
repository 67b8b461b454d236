"""The model servers of a run: started before the first call, waited for, shared by all workers, stopped at its end."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from pathlib import Path

from flows.compute.inline import worker_environment
from flows.runs.progress import write_status
from flows.settings import Settings
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.interpreter import import_path, module_command
from tasks.models.profile import ModelProfile, Serve
from tasks.models.serving import SERVED, served_addresses

_PAUSE = 0.2  # seconds between two looks at a server that is starting
_STOPPING = 10.0  # seconds that a server has to stop before it is killed
_LAST = 300  # characters of a log that a failure shows


@contextmanager
def served(models: Sequence[ModelProfile], settings: Settings) -> Iterator[None]:
    """Serve the models that have a ``serve`` table within the block; their addresses stand in the environment.

    Where none is served the environment stays as it was: workers that need nothing of their own can be shared.

    Raises:
        SolonError: A server cannot be started, ends, or is not ready in time.
    """
    before = os.environ.get(SERVED)
    with ExitStack() as stack:
        found = served_addresses()
        for profile in models:
            if profile.serve is not None and profile.name not in found:
                found[profile.name] = stack.enter_context(_server(profile, profile.serve, settings.home / "logs"))
        try:
            if found:
                os.environ[SERVED] = json.dumps(found)
            yield
        finally:
            os.environ.pop(SERVED, None)
            if before is not None:
                os.environ[SERVED] = before


@contextmanager
def _server(profile: ModelProfile, serve: Serve, logs: Path) -> Iterator[str]:
    """Run one server on a free port; gives its endpoint."""
    logs.mkdir(parents=True, exist_ok=True)
    log, port = logs / f"serve-{profile.name}.log", _free_port()
    command = [word.replace("{port}", str(port)) for word in serve.command]
    with log.open("wb") as told:
        keeper = subprocess.Popen(
            module_command("flows.runs.keeper", *command),
            stdin=subprocess.PIPE,
            stdout=told,
            stderr=subprocess.STDOUT,
            env={**worker_environment("solver"), "PYTHONPATH": import_path()},  # it is told where no rubric lies
            start_new_session=True,  # Ctrl-C is for the command, which then ends this
        )
    try:
        write_status(f"model {profile.name}: its server starts (log: {log})")
        _wait(keeper, f"http://127.0.0.1:{port}{serve.ready}", profile, serve, log)
        yield f"http://127.0.0.1:{port}{serve.base}"
        if keeper.poll() is not None:
            write_status(f"model {profile.name}: its server ended before the run did: {_said(log)}")
    finally:
        assert keeper.stdin
        keeper.stdin.close()
        try:
            keeper.wait(_STOPPING)
        except subprocess.TimeoutExpired:
            keeper.kill()


def _wait(keeper: subprocess.Popen[bytes], url: str, profile: ModelProfile, serve: Serve, log: Path) -> None:
    from tasks.models.transports.shapes import key_of

    deadline = time.monotonic() + serve.seconds
    while keeper.poll() is None:
        if _answers(url, key_of(profile)):
            return
        if time.monotonic() > deadline:
            message = f"The server of this model did not answer {serve.ready} within {serve.seconds:g} s: {_said(log)}"
            raise _failed(profile, FailureCause.TIMEOUT, message, f"Raise seconds of its serve table, or read {log}.")
        time.sleep(_PAUSE)
    message = f"The server of this model ended with code {keeper.returncode}: {_said(log)}"
    raise _failed(profile, FailureCause.PROVIDER, message, f"Correct its command, or read {log}.")


def _answers(url: str, key: str) -> bool:
    """Tell whether the model is ready; a refused key counts as an answer, a server error does not."""
    asked = urllib.request.Request(url, headers={"authorization": f"Bearer {key}"} if key else {})  # noqa: S310 - loopback
    try:
        urllib.request.urlopen(asked, timeout=2.0).close()  # noqa: S310
    except urllib.error.HTTPError as refusal:
        return refusal.code < HTTPStatus.INTERNAL_SERVER_ERROR
    except (OSError, ValueError):
        return False
    return True


def _said(log: Path) -> str:
    """Return the last words of a log."""
    words = " ".join(log.read_text(encoding="utf-8", errors="replace").split())
    return words[-_LAST:] or "it said nothing"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _failed(profile: ModelProfile, cause: FailureCause, message: str, remedy: str) -> SolonError:
    return SolonError(Failure(cause=cause, stage="models", subject=profile.name, message=message, remedy=remedy))
