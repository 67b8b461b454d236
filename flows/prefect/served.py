"""The process of Solon's Prefect server: ends by itself when no running command uses it, however the last one ended.

Run as ``python -m flows.prefect.served HOME server start …`` in a session of its own.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import runpy
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flows.prefect.processes import is_alive
from tasks.matter.collecting import collect_seldom

_EVERY, _PATIENCE = 1.0, 8.0  # seconds between two looks, and that a server has to stop before it is killed


@contextmanager
def locked(home: Path) -> Iterator[None]:
    """Lock the server of ``home``, so that only one process at a time starts, joins, leaves or ends it."""
    home.mkdir(parents=True, exist_ok=True)
    with (home / "server.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def server_is_wanted(home: Path) -> bool:
    """Whether a running command uses the server, or it was left running on purpose. Removes notes of ended ones."""
    for note in (home / "users").glob("*.json"):
        if is_alive(note):
            return True
        note.unlink(missing_ok=True)
    return (home / "keep").exists()


def _watch(home: Path) -> None:
    while True:
        time.sleep(_EVERY)
        if not home.is_dir():  # somebody removed it, and its records
            _end()
        if not server_is_wanted(home):
            with locked(home):  # a command that takes the server at this moment has its note written, or finds none
                if not server_is_wanted(home):
                    _forget(home)
                    _end()


def _forget(home: Path) -> None:
    noted = home / "server.json"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        if int(json.loads(noted.read_text(encoding="utf-8"))["pid"]) == os.getpid():
            noted.unlink()


def _end() -> None:
    os.killpg(0, signal.SIGINT)
    time.sleep(_PATIENCE)
    os.killpg(0, signal.SIGKILL)


def main() -> None:
    """Run Prefect's command while watching for its users."""
    collect_seldom()
    home = Path(sys.argv.pop(1))
    threading.Thread(target=_watch, args=(home,), daemon=True).start()
    runpy.run_module("prefect", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
