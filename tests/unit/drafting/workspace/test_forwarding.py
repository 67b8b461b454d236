"""Forwarded ports of a sandbox: a port inside leads to one socket outside, and there is nothing else."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tasks.drafting.workspace.records import Bounds, Command, Room, Sandbox
from tasks.drafting.workspace.sandboxes import find_sandbox, standings

_WORKING = [s.name for s in standings() if not s.fault]
pytestmark = pytest.mark.skipif(not _WORKING, reason="; ".join(f"{s.name}: {s.fault}" for s in standings()))
_PYTHON = str(Path(sys.executable).resolve())
_ASK = """
import socket, sys
link = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)
link.sendall(b"x" * 300_000 + b"end"); link.shutdown(socket.SHUT_WR)
got = b""
while data := link.recv(65536): got += data
print(len(got), got[-3:].decode())
"""


@pytest.fixture
def room(tmp_path: Path) -> Room:
    made = Room(*(tmp_path / name for name in ("documents", "text", "output", "scratch")))
    for folder in (made.documents, made.text, made.output, made.scratch):
        folder.mkdir()
    return made


@pytest.fixture(params=_WORKING)
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    return find_sandbox(request.param)


@pytest.fixture
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Answers each connection with what it was sent, when the other side has ended."""
    place = tmp_path_factory.mktemp("s") / "service"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place))
        listener.listen()

        def serve() -> None:
            while True:
                try:
                    link, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=_echo, args=(link,), daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        yield place
        listener.shutdown(socket.SHUT_RDWR)


def _echo(link: socket.socket) -> None:
    with link:
        got = b""
        while data := link.recv(65536):
            got += data
        link.sendall(got)


def _ask(port: int) -> str:
    return f'{_PYTHON} -I -c "$ASK" {port}'


def _command(script: str, forwards: dict[int, Path]) -> Command:
    return Command(("/bin/sh", "-c", script), environment={"ASK": _ASK}, forwards=forwards)


def test_a_door_carries_bytes_both_ways(sandbox: Sandbox, room: Room, service: Path):
    script = f"{_ask(8000)} & {_ask(8000)} & {_ask(8001)}; wait"
    ran = sandbox.run(_command(script, {8000: service, 8001: service}), room, Bounds(seconds=30))
    assert ran.stdout.splitlines() == ["300003 end"] * 3, ran.stderr


def test_a_port_without_a_door_leads_nowhere(sandbox: Sandbox, room: Room, service: Path):
    ran = sandbox.run(_command(_ask(8002), {8000: service}), room, Bounds(seconds=30))
    assert "ConnectionRefusedError" in ran.stderr


def test_behind_a_door_that_nobody_keeps_connections_end(sandbox: Sandbox, room: Room, tmp_path: Path):
    dead = tmp_path / "dead"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(dead))
    ran = sandbox.run(_command(_ask(8000), {8000: dead}), room, Bounds(seconds=30))
    assert ran.exit_code != 0 or ran.stdout.startswith("0")


def test_the_keeper_of_forwards_ends_with_the_command(sandbox: Sandbox, room: Room, service: Path):
    ran = sandbox.run(_command("kill -9 -1; exit 5", {8000: service}), room, Bounds(seconds=30))
    assert ran.seconds < 20
    ran = sandbox.run(_command("exit 5", {8000: service}), room, Bounds(seconds=30))
    assert ran.exit_code == 5
