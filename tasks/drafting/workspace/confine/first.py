"""The first process of a sandbox: it starts the command within its limits, watches, and reports how it ended.

When it ends the kernel kills whatever else is in its process namespace, so nothing outlives it.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import time
from typing import Any, NoReturn

from .limits import set_limits
from .watch import Watch

_STEP = 0.05  # seconds between looks at what is in use
_DUMPABLE = 4  # PR_SET_DUMPABLE of <linux/prctl.h>
_PARENT_DEATH = 1  # PR_SET_PDEATHSIG


def main(specification: int, status: int) -> NoReturn:
    """Run the command that the specification describes; both arguments are descriptors.

    The status is one JSON object a line: ``ready`` when the command has started, ``error`` where it could not be, then
    ``exit``, ``signal`` or ``breach``.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PARENT_DEATH, signal.SIGKILL)
    libc.prctl(_DUMPABLE, 0)  # the command has the same user: it must not read or change this process
    with os.fdopen(specification, "rb") as stream:
        spec = json.loads(stream.read())
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    child, errors = _start(spec)
    failed = _said(errors)
    if failed:
        _end(status, {"error": failed})
    _tell(status, {"ready": True})
    _end(status, _watched(child, Watch(spec["limits"], spec["writable"], spec["memory"])))


def _start(spec: dict[str, Any]) -> tuple[int, int]:
    """Start the command; what keeps it from starting is written to the descriptor returned."""
    errors, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        return child, errors
    try:
        step = "limits"
        os.setsid()
        signal.pthread_sigmask(signal.SIG_SETMASK, set())
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them; a command expects them
            signal.signal(number, signal.SIG_DFL)
        set_limits(spec["limits"])
        step = "folder"
        os.chdir(spec["folder"])
        step = "command"
        keep = os.dup2(writer, 3, inheritable=False)
        os.closerange(keep + 1, 65536)
        writer = keep
        os.execvpe(spec["words"][0], spec["words"], spec["environment"])  # noqa: S606 - what it is there for
    except (OSError, ValueError) as error:
        said = {"step": step, "errno": getattr(error, "errno", None) or 0, "text": str(error)}
        os.write(writer, json.dumps(said).encode())
    os._exit(127)


def _said(errors: int) -> dict[str, Any] | None:
    """Wait until the command runs (the descriptor closes with nothing said) or could not be started."""
    with os.fdopen(errors, "rb") as stream:
        data = stream.read()
    return dict(json.loads(data)) if data else None


def _watched(child: int, watch: Watch) -> dict[str, Any]:
    """Wait for the command's end or for the first limit that all of it together passes."""
    while True:
        signal.sigtimedwait({signal.SIGCHLD}, _STEP)
        while True:
            try:
                gone, state = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return {"error": {"step": "wait", "errno": 0, "text": "the command was lost"}}
            if gone == child:
                code = os.waitstatus_to_exitcode(state)
                return {"exit": code} if code >= 0 else {"signal": -code}
            if not gone:
                break
        if breach := watch.breach(time.monotonic()):
            return {"breach": breach}


def _tell(status: int, said: dict[str, Any]) -> None:
    os.write(status, json.dumps(said).encode() + b"\n")


def _end(status: int, said: dict[str, Any]) -> NoReturn:
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)  # all but this process
    _tell(status, said)
    os._exit(0)
