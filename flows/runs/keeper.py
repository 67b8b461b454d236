"""Keeps a server only as long as the command that needs it: ``python -m flows.runs.keeper PROGRAM ARGUMENT…``.

Its standard input is a pipe from that command. When the pipe ends, because the command closed it or was killed in
whatever way, the server's whole process group is ended. When the server ends by itself, so does the keeper, with the
same code.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence

_PATIENCE = 5.0  # seconds in which a server may end by itself when it is told to


def main(command: Sequence[str]) -> int:
    """Run the server until it ends or nobody needs it."""
    try:
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    except OSError as exc:
        print(f"{command[0]}: {exc.strerror}", file=sys.stderr)
        return 127
    for told in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(told, lambda *_: _end(server))
    threading.Thread(target=_watch, args=(server,), daemon=True).start()
    code = server.wait()
    _strike(server, signal.SIGKILL)  # what it started may outlive it
    return code if code >= 0 else 128 - code


def _watch(server: subprocess.Popen[bytes]) -> None:
    while os.read(0, 4096):
        pass
    _end(server)


def _end(server: subprocess.Popen[bytes]) -> None:
    _strike(server, signal.SIGTERM)
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline and _lives(server):
        time.sleep(0.05)
    _strike(server, signal.SIGKILL)


def _strike(server: subprocess.Popen[bytes], kind: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(server.pid, kind)


def _lives(server: subprocess.Popen[bytes]) -> bool:
    """Whether the server runs; the main thread waits for it and takes its code."""
    return server.returncode is None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
