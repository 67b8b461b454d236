"""Marks that name a process: its number and its start time, since a number alone may be reused."""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OWNER = "SOLON_OWNER"
"""Variable in the environment of processes that a library started for us, and that may outlive a killed driver."""


def leave_note(folder: Path, name: str) -> Path:
    """Write a note of this process."""
    folder.mkdir(parents=True, exist_ok=True)
    note = folder / f"{name}.json"
    note.write_text(json.dumps({"pid": os.getpid(), "started": started(os.getpid())}), encoding="utf-8")
    return note


def is_alive(note: Path) -> bool:
    """Whether the process of a note still runs."""
    try:
        told = json.loads(note.read_text(encoding="utf-8"))
        return bool(told["started"]) and started(int(told["pid"])) == told["started"]
    except (OSError, ValueError, KeyError, TypeError):
        return False


def started(pid: int) -> str:
    """Return the start time of a process in clock ticks; empty when there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


@contextmanager
def owned() -> Iterator[None]:
    """Mark every process started in the block, and their children, as owned by this process."""
    os.environ[OWNER] = f"{os.getpid()}:{started(os.getpid())}"
    try:
        yield
    finally:
        del os.environ[OWNER]


def sweep_owned() -> list[int]:
    """Kill the processes whose owner has ended, and return their numbers; all others stay."""
    swept = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            words = (place / "environ").read_bytes().split(b"\0")
            mark = next((w for w in words if w.startswith(OWNER.encode() + b"=")), b"").decode().partition("=")[2]
            owner, _, since = mark.partition(":")
            if mark and started(int(owner)) != since:
                os.kill(int(place.name), signal.SIGKILL)
                swept.append(int(place.name))
    return swept
