"""Notes that name a process: its number and its start time, for a number alone may be given to another."""

from __future__ import annotations

import json
import os
from pathlib import Path


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
