"""The first process of a sandbox: it starts the command within its limits, watches, and reports how it ended.

When it ends the kernel kills whatever else is in its process namespace, so nothing outlives it.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import time
from typing import Any, NoReturn

from . import kernel, landlock, seccomp
from .forwarding import forward_ports
from .limits import set_limits
from .watch import SandboxWatch

_STEP = 0.05  # seconds between looks at what is in use


def main(specification: int, status: int) -> NoReturn:
    """Run the command that the specification describes; both arguments are descriptors.

    The status is one JSON object a line: ``ready`` when the command has started, ``error`` where it could not be, then
    ``exit``, ``signal`` or ``breach``.
    """
    with os.fdopen(specification, "rb") as stream:
        spec = json.loads(stream.read())
    run(spec, status)


def run(spec: dict[str, Any], status: int) -> NoReturn:
    """Do so with the specification at hand."""
    try:
        kernel.end_with_parent()
        kernel.hide()
        kernel.give_up_privileges()
        keeper = forward_ports(spec["forwards"]) if spec["forwards"] else 0
    except OSError as error:
        _end(status, {"error": {"step": "forwards", "errno": error.errno or 0, "text": str(error)}})
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # from inside, the kernel hands it only what it would handle
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    child, errors = _start(spec, status)
    failed = _said(errors)
    if failed:
        _end(status, {"error": failed})
    _tell(status, {"ready": True})
    watch = SandboxWatch(spec["limits"], spec["writable"], spec["memory"], ours=(os.getpid(), keeper))
    _end(status, _watched(child, watch, status))


def _start(spec: dict[str, Any], status: int) -> tuple[int, int]:
    """Start the command; what keeps it from starting is written to the descriptor returned."""
    errors, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        return child, errors
    try:
        step = "confinement"
        os.close(status)
        os.setsid()
        signal.pthread_sigmask(signal.SIG_SETMASK, set())
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them; a command expects them
            signal.signal(number, signal.SIG_DFL)
        set_limits(spec["limits"])
        landlock.restrict([*spec["writable"], *spec["memory"], "/dev"])
        seccomp.install()
        writer = _only(writer)
        step = "folder"
        os.chdir(spec["folder"])
        step = "command"
        os.execvpe(spec["words"][0], spec["words"], spec["environment"])  # noqa: S606 - what it is there for
    except Exception as error:  # noqa: BLE001 - the end of this process; the other side tells what it was
        code = getattr(error, "errno", None) or 0
        text = f"{spec['words'][:1]}: {os.strerror(code)}" if step == "command" and code else str(error)
        said = {"step": step, "errno": code, "text": text}
        os.write(writer, json.dumps(said).encode())
    os._exit(127)


def _only(handle: int) -> int:
    """Close all descriptors but the standard ones and this one, which goes when the command starts."""
    kept = os.dup2(handle, 3, inheritable=False)
    os.closerange(kept + 1, 1 << 20)
    return kept


def _said(errors: int) -> dict[str, Any] | None:
    """Wait until the command runs (the descriptor closes with nothing said) or could not be started."""
    with os.fdopen(errors, "rb") as stream:
        data = stream.read()
    return dict(json.loads(data)) if data else None


def _watched(child: int, watch: SandboxWatch, status: int) -> dict[str, Any]:
    """Wait for the command's end, for the first limit that all of it together passes, or for nobody to be told."""
    reader = select.poll()
    reader.register(status, 0)  # only its end is told
    while True:
        if reader.poll(0):
            os._exit(1)
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
