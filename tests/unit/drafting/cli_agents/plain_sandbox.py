"""A sandbox that confines nothing: the same protocol on every machine, for programs that a test wrote itself.

The room and what is shown stand below a folder of the test; ``/matter`` and ``/solon`` in words and variables become
that folder. Proxies are the sockets themselves, behind ports of this machine's loopback.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tasks.drafting.workspace.records import Bounds, Command, Ran, Room


@dataclass
class PlainSandbox:
    base: Path
    name: str = "plain"
    started: list[Any] = field(default_factory=list)

    def run(self, command: Command, room: Room, bounds: Bounds) -> Ran:
        raise AssertionError("an agent is started, not run")

    def start(self, command: Command, room: Room, bounds: Bounds, stdout: Path, stderr: Path) -> PlainProcess:
        top = self.base / f"inside-{len(self.started)}"
        for place, source in {
            "/matter/documents": room.documents,
            "/matter/text": room.text,
            "/matter/output": room.output,
            "/matter/scratch": room.scratch,
            **command.shown,
        }.items():
            if place.startswith(("/matter", "/solon")):
                target = top / place.lstrip("/")
                target.parent.mkdir(parents=True, exist_ok=True)
                if not target.exists():
                    target.symlink_to(source)
        proxies = {port: Proxy(path) for port, path in command.forwards.items()}

        def placed(text: str) -> str:
            for port, proxy in proxies.items():
                text = text.replace(f"127.0.0.1:{port}", f"127.0.0.1:{proxy.port}")
            return text.replace("/matter", str(top / "matter")).replace("/solon", str(top / "solon"))

        for file in (room.scratch / ".agent").rglob("*"):
            if file.is_file() and file.suffix in (".json", ".toml"):
                file.write_text(placed(file.read_text()))
        environment = {k: placed(v) for k, v in command.environment.items()}
        environment.setdefault("HOME", str(room.scratch))
        self.started.append(PlainProcess([placed(w) for w in command.words], environment, top, command, stdout, stderr))
        return self.started[-1]


class Proxy:
    """A port of this machine that leads to a Unix socket."""

    def __init__(self, path: Path) -> None:
        self.path, self.server = path, socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            inner, _ = self.server.accept()
            outer = socket.socket(socket.AF_UNIX)
            try:
                outer.connect(str(self.path))
            except OSError:
                inner.close()
                continue
            for ends in ((inner, outer), (outer, inner)):
                threading.Thread(target=_carry, args=ends, daemon=True).start()


def _carry(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for end, how in ((target, socket.SHUT_WR), (source, socket.SHUT_RD)):
        with contextlib.suppress(OSError):
            end.shutdown(how)


class PlainProcess:
    def __init__(
        self, words: Sequence[str], environment: dict[str, str], top: Path, command: Command, out: Path, err: Path
    ) -> None:
        with out.open("wb") as stdout, err.open("wb") as stderr:
            self.process = subprocess.Popen(
                words,
                cwd=top / "matter",
                env=environment,
                stdin=subprocess.PIPE,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
            )
        self.pid, self.environment, self.words = self.process.pid, environment, list(words)
        threading.Thread(target=self._feed, args=(command.stdin,), daemon=True).start()

    def _feed(self, data: bytes) -> None:
        assert self.process.stdin
        with contextlib.suppress(OSError):
            self.process.stdin.write(data)
            self.process.stdin.close()

    def wait(self, seconds: float) -> int | None:
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.process.wait()
