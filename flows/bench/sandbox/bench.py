"""Every attempt in every sandbox, and a table of what became of it."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flows.bench.sandbox.attempts import EscapeAttempt, escape_attempts
from flows.bench.sandbox.scene import Scene, memory_of, settled, unusual
from tasks.drafting.workspace.collecting import Collected, collect
from tasks.drafting.workspace.records import Command, Ended, Ran, Room, Sandbox
from tasks.drafting.workspace.sandboxes import find_sandbox, standings

CONTAINED, REFUSED, ESCAPED = "contained", "refused", "ESCAPED"
_MIB = 1024**2  # bytes
_SLACK = 6.0  # seconds past its time in which an attempt must be gone
_OWN_FAULTS = ("NameError", "SyntaxError", "TypeError", "AttributeError", "ImportError", "KeyError", "IndexError")
_LATE = 2  # times a bound that a loaded machine may let pass before the next look
_TIMES, _FILES = 16, 100  # times a bound: the watch sees what is written a moment later, never so much later


@dataclass(frozen=True)
class Tried:
    """What became of an attempt in one sandbox.

    Attributes:
        result: contained (it ran, and reached nothing), refused (it was stopped), ESCAPED.
        said: What it reached, or what stopped it.
    """

    sandbox: str
    result: str
    said: str
    seconds: float


@dataclass
class _Watcher:
    """Looks at an attempt from outside while it runs."""

    scene: Scene
    room: Room
    memory: int = 0
    came_in: bool = False
    _over: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> _Watcher:
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(0.25):
            self.memory = max(self.memory, memory_of(self.scene.mark))
            with contextlib.suppress(OSError, ValueError):
                port = int((self.room.scratch / "port").read_text())
                socket.create_connection(("127.0.0.1", port), 0.5).close()
                self.came_in = True


def measure_sandbox(
    quick: bool = False, only: Sequence[str] = (), say: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Try the attempts in each sandbox that works here.

    Args:
        quick: The quick ones alone.
        only: Words of groups or names; empty for all.
        say: Called with one line after each attempt.

    Raises:
        SolonError: No sandbox works here (``sandbox``).
    """
    find_sandbox()
    kinds = [find_sandbox(s.name) for s in standings() if not s.fault]
    rows: list[dict[str, Any]] = []
    with Scene() as scene:
        for attempt in escape_attempts(quick, only):
            tried = [try_attempt(attempt, kind, scene) for kind in kinds]
            rows.append({"group": attempt.group, "name": attempt.name, "tried": {t.sandbox: _row(t) for t in tried}})
            say(_line(rows[-1]))
    counts = {k.name: Counter(row["tried"][k.name]["result"] for row in rows) for k in kinds}
    return {
        "user": "root" if os.geteuid() == 0 else "an ordinary user",
        "attempts": len(rows),
        "sandboxes": {name: {r: n[r] for r in (CONTAINED, REFUSED, ESCAPED)} for name, n in counts.items()},
        "not_here": {s.name: s.fault for s in standings() if s.fault},
        "broke": sum(n[ESCAPED] for n in counts.values()),
        "rows": rows,
    }


def try_attempt(attempt: EscapeAttempt, sandbox: Sandbox, scene: Scene) -> Tried:
    """Try one attempt in a room of its own."""
    command = Command(attempt.words, scene.environment(), stdin=b"x" * (attempt.stdin_mb * _MIB))
    began = time.monotonic()
    with scene.room() as room, _Watcher(scene, room) as watcher:
        ran = sandbox.run(command, room, attempt.bounds)
        took = time.monotonic() - began
        broke = [] if settled(scene.mark) else ["processes outlived it"]
        if took > attempt.seconds + _SLACK:
            broke.append(f"it ran {took:.0f} s, and had {attempt.seconds:.0f}")
        broke += _sizes(attempt, ran, room, watcher)
        collected = collect(room.output)
        broke += [*_told(ran, room, scene.canary), *_left(attempt, collected, room), *scene.harm(room)]
    if broke:
        return Tried(sandbox.name, ESCAPED, "; ".join(broke), took)
    stopped = ran.ended is not Ended.EXITED or ran.exit_code != 0 or bool(collected.refused)
    return Tried(sandbox.name, REFUSED if stopped else CONTAINED, _why(ran, collected), took)


def _told(ran: Ran, room: Room, canary: str) -> Iterator[str]:
    """Yield what an attempt itself says that it reached, and secrets that came out with it."""
    for line in ran.stdout.splitlines():
        if line.startswith("ESCAPED:"):
            yield line.partition(": ")[2][:200]
    last = ran.stderr.strip().splitlines()[-1:]
    if last and last[0].startswith(_OWN_FAULTS):
        yield f"the attempt itself is at fault ({last[0]})"
    if canary in ran.stdout or canary in ran.stderr:
        yield "a secret came out in its output"
    for folder in (room.output, room.scratch):
        for file in folder.rglob("*"):
            small = file.is_file() and not file.is_symlink() and file.stat().st_size < _MIB
            if small and canary.encode() in file.read_bytes():
                yield f"a secret lies in {folder.name}/{file.name}"


def _sizes(attempt: EscapeAttempt, ran: Ran, room: Room, watcher: _Watcher) -> Iterator[str]:
    bounds, files, size = attempt.bounds, 0, 0
    for folder in (room.output, room.scratch):
        for parent, folders, names in os.walk(folder):
            files += len(folders) + len(names)
            size += sum(os.lstat(os.path.join(parent, n)).st_blocks * 512 for n in names)  # noqa: PTH118
    if len(ran.stdout) > bounds.output_bytes or len(ran.stderr) > bounds.output_bytes:
        yield "its output passed the bound"
    if size > bounds.room_mb * _MIB * _TIMES:
        yield f"it left {size // _MIB} MiB"
    if files > _FILES * bounds.files:
        yield f"it left {files} files"
    if watcher.memory > bounds.memory_mb * _MIB * _LATE:
        yield f"it held {watcher.memory // _MIB} MiB of memory"
    if watcher.came_in:
        yield "somebody outside could come in"


def _left(attempt: EscapeAttempt, collected: Collected, room: Room) -> Iterator[str]:
    if found := unusual(room.output):
        yield f"collecting left {found[0]!r} in output"
    if any(Path(name).stat().st_mode & 0o6000 for name in room.scratch.rglob("*") if not name.is_symlink()):
        yield "a program with special rights lies in scratch"
    if attempt.left == "refused" and not collected.refused:
        yield "what it left was not refused"
    if attempt.left == "kept" and not collected.files:
        yield "plain files that it left were lost"


def _why(ran: Ran, collected: Collected) -> str:
    last = (ran.stdout + "\n" + ran.stderr).strip().splitlines()[-1:]
    told = [f.message for f in collected.refused[:1]]
    return " ".join([*told, *([ran.note] if ran.note else last)])[:160]


def _row(tried: Tried) -> dict[str, Any]:
    return {"result": tried.result, "said": tried.said, "seconds": round(tried.seconds, 2)}


def render(result: dict[str, Any]) -> str:
    """Return the table of a result for a terminal."""
    names = list(result["sandboxes"])
    rows = [f"{'group':12} {'attempt':64} " + " ".join(f"{name:10}" for name in names)]
    rows += [_line(row) for row in result["rows"]]
    for name, n in result["sandboxes"].items():
        rows.append(
            f"{name}: {n[CONTAINED]} contained, {n[REFUSED]} refused, {n[ESCAPED]} ESCAPED, as {result['user']}"
        )
    rows += [f"{name}: not here ({fault})" for name, fault in result["not_here"].items()]
    return "\n".join(rows)


def _line(row: dict[str, Any]) -> str:
    tried = row["tried"].values()
    line = f"{row['group']:12} {row['name']:64} " + " ".join(f"{t['result']:10}" for t in tried)
    return "\n".join([line, *(f"{'':12} {t['said']}" for t in tried if t["result"] == ESCAPED)])
