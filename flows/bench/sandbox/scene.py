"""What an attempt must not reach: a home of Solon with secrets, services that note who calls, a process of others."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import signal
import socket
import stat
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType

from tasks.drafting.workspace.records import Room
from tasks.drafting.workspace.trees import raze

_SECRETS = (
    "secret",
    "solon.toml",
    ".solon/runs/monday/run.json",
    ".solon/sealed/rubric.json",
    ".solon/warehouse/solon.duckdb",
    ".solon/runs/monday/tax/memo/extractive/1/output/memo.md",
    ".solon/runs/monday/tax/memo/basic/.1.partial-9/transcript.jsonl",
)


class Scene:
    """Everything that stands around the room of an attempt. Use as a context manager."""

    def __init__(self) -> None:
        self.canary = f"canary-{secrets.token_hex(12)}"
        self.mark = f"mark-{secrets.token_hex(8)}"
        self.base = Path(tempfile.mkdtemp(prefix="solon-sandbox-")).resolve()
        self.called: list[str] = []
        self._open: list[socket.socket] = []

    def __enter__(self) -> Scene:
        """Plant the secrets, and start the services and the witness."""
        for name in _SECRETS:
            path = self.base / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{self.canary} of {name}\n")
        self._before = self._outside()
        self.tcp = self._listen("a TCP service", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))[1]
        self.udp = self._listen("a UDP service", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))[1]
        self.unix = str(self.base / "service")
        self.abstract = f"solon-{secrets.token_hex(8)}"
        self._listen("a socket by its path", socket.AF_UNIX, socket.SOCK_STREAM, self.unix)
        self._listen("a socket by its abstract name", socket.AF_UNIX, socket.SOCK_STREAM, f"\0{self.abstract}")
        self._witness()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """End it all."""
        self.witness.kill()
        self.witness.wait()
        for listener in self._open:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        self._clear(self.base.name, self.base.parent)

    @contextlib.contextmanager
    def room(self) -> Iterator[Room]:
        """Lay a room out where attempts have theirs; it is gone afterwards."""
        workspace = self.base / ".solon/runs/monday/tax/memo/basic/.1.partial-9"
        room = Room(*(workspace / name for name in ("documents", "text", "output", "scratch")))
        for folder in (room.documents, room.text, room.output, room.scratch):
            folder.mkdir()
        for file in (room.documents / "lease.txt", room.text / "lease.txt.txt"):
            file.write_text("The rent is $900.")
            file.chmod(0o444)
        self._data = _tree(room.documents) | _tree(room.text)
        self.called.clear()
        try:
            yield room
        finally:
            for folder in (room.documents, room.text, room.output, room.scratch):
                self._clear(folder.name, workspace)

    def environment(self) -> Mapping[str, str]:
        """Return what an attempt is told of its surroundings."""
        return {
            "SECRET": str(self.base / "secret"),
            "OUTSIDE": str(self.base),
            "WITNESS": str(self.witness.pid),
            "TCP": str(self.tcp),
            "UDP": str(self.udp),
            "UNIX": self.unix,
            "ABSTRACT": self.abstract,
            "MARK": self.mark,
        }

    def harm(self, room: Room) -> Iterator[str]:
        """Yield what an attempt changed or reached that it must not."""
        yield from (f"it reached {name}" for name in dict.fromkeys(self.called))
        if _tree(room.documents) | _tree(room.text) != self._data:
            yield "the data room was changed"
        if self._outside() != self._before:
            yield "files outside were changed"
        if self.witness.poll() is not None or self._state() in "TtZ":
            yield "a process outside was ended or stopped"
            self.witness.kill()
            self._witness()
        if left := marked(self.mark):
            yield f"{len(left)} processes were left running"
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def _state(self) -> str:
        fields = Path(f"/proc/{self.witness.pid}/stat").read_text().rpartition(")")[2].split()
        return fields[0]

    def _witness(self) -> None:
        given = {"WITNESS_KEY": self.canary}
        self.witness = subprocess.Popen(("sleep", "36000"), env=given, start_new_session=True)

    def _listen(self, name: str, family: int, kind: int, address: tuple[str, int] | str) -> tuple[str, int]:
        listener = socket.socket(family, kind)
        listener.bind(address)
        self._open.append(listener)
        if kind == socket.SOCK_STREAM:
            listener.listen()
        threading.Thread(target=self._serve, args=(name, listener, kind), daemon=True).start()
        return listener.getsockname() if family == socket.AF_INET else ("", 0)

    def _serve(self, name: str, listener: socket.socket, kind: int) -> None:
        with contextlib.suppress(OSError):  # it is closed at the end
            while True:
                if kind == socket.SOCK_STREAM:
                    listener.accept()[0].close()
                elif not listener.recvfrom(16)[0]:
                    return
                self.called.append(name)

    def _outside(self) -> Mapping[str, object]:
        return {name: _facts(self.base / name) for name in _SECRETS}

    def _clear(self, name: str, folder: Path) -> None:
        handle = os.open(folder, os.O_RDONLY)
        try:
            raze(name, handle)
        finally:
            os.close(handle)


def marked(mark: str) -> list[int]:
    """Return the processes of this machine that were given the mark."""
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208
        with contextlib.suppress(OSError):
            if name.isdigit() and f"MARK={mark}".encode() in Path(f"/proc/{name}/environ").read_bytes().split(b"\0"):
                found.append(int(name))
    return found


def memory_of(mark: str) -> int:
    """Return the bytes in memory of the marked processes that are their own."""
    total = 0
    for pid in marked(mark):
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith(("RssAnon", "RssShmem")):
                    total += int(line.split()[1]) * 1024
    return total


def settled(mark: str, seconds: float = 0.0) -> bool:
    """Wait until no marked process is left."""
    end = time.monotonic() + seconds
    while marked(mark):
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def unusual(folder: Path) -> list[str]:
    """Return what below a folder is no plain file or folder, or has special rights."""
    found = []
    for parent, folders, names in os.walk(folder):
        for name in (*folders, *names):
            mode = os.lstat(os.path.join(parent, name)).st_mode  # noqa: PTH118
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) or mode & (stat.S_ISUID | stat.S_ISGID):
                found.append(name)
    return found


def _tree(folder: Path) -> dict[str, object]:
    return {str(path): _facts(path) for path in (folder, *sorted(folder.rglob("*")))}


def _facts(path: Path) -> object:
    facts = path.lstat()
    digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    return (facts.st_mode, facts.st_ino, facts.st_mtime_ns if digest else 0, digest)
