"""What a solver's commands may touch, their bounds, and what became of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from pydantic import Field

from tasks.matter.base import Record

ROOM = "/matter"  # where a sandboxed command finds everything; its working folder


class Bounds(Record):
    """Limits of one command, its children included.

    Attributes:
        seconds: Wall time; the whole process group is killed at its end.
        cpu_seconds: CPU time of any one process.
        memory_mb: Memory in use by all processes together, in MiB.
        address_mb: Address space of any one process, in MiB; 0 for as much as ``memory_mb``. Programs of JavaScript
            reserve many times what they use.
        processes: Processes and threads at a time.
        file_mb: Size of any one file that is written, in MiB.
        room_mb: Size of output and scratch together, in MiB.
        files: Files and folders in output and scratch together, and in each folder in memory.
        output_bytes: Of standard output and of standard error each, kept; the rest is read and dropped.
    """

    seconds: float = Field(default=120.0, gt=0)
    cpu_seconds: float = Field(default=120.0, gt=0)
    memory_mb: int = Field(default=2048, gt=0)
    address_mb: int = Field(default=0, ge=0)
    processes: int = Field(default=256, gt=0)
    file_mb: int = Field(default=256, gt=0)
    room_mb: int = Field(default=1024, gt=0)
    files: int = Field(default=20_000, gt=0)
    output_bytes: int = Field(default=200_000, gt=0)


class Ended(StrEnum):
    """How a command ended."""

    EXITED = "exited"
    TIME = "time"  # killed at its wall time
    KILLED = "killed"  # by a signal: a limit of the kernel, or itself
    REFUSED = "refused"  # it was never started


class Ran(Record):
    """A command that has ended; nothing of it is left running.

    Attributes:
        exit_code: None where it did not exit by itself.
        cut: Whether output was dropped.
        note: One sentence on a limit that was met or on the refusal; empty otherwise.
    """

    ended: Ended
    exit_code: int | None
    stdout: str
    stderr: str
    seconds: float
    cut: bool = False
    note: str = ""


@dataclass(frozen=True)
class Room:
    """The folders of an attempt on this machine. In a sandbox they stand below :data:`ROOM` under the same names.

    Attributes:
        documents: The data room as files; never written through it.
        text: Canonical text of every readable document, ``<name>.txt``; never written through it.
        output: The work product.
        scratch: The solver's own files.
    """

    documents: Path
    text: Path
    output: Path
    scratch: Path


@dataclass(frozen=True)
class Command:
    """What a sandbox is asked to run.

    Attributes:
        words: Program and arguments, no shell in between.
        environment: All that the command gets, beside a plain PATH, HOME (scratch), LANG and TMPDIR.
        stdin: Its standard input, then closed.
        forwards: Ports of loopback in the sandbox that lead to Unix sockets of this machine; without one there is no
            network at all.
        shown: Further folders or files by their path inside, read-only (programs of an agent, its configuration).
        folder: Working folder inside.
    """

    words: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    stdin: bytes = b""
    forwards: Mapping[int, Path] = field(default_factory=dict)
    shown: Mapping[str, Path] = field(default_factory=dict)
    folder: str = ROOM


class Process(Protocol):
    """A long command under way, its streams going to files."""

    pid: int

    def wait(self, seconds: float) -> int | None:
        """Return the exit code, or None where it still runs after so many seconds."""
        ...

    def kill(self) -> None:
        """End the command with all that it started; returns when nothing of it is left."""
        ...


class Sandbox(Protocol):
    """One way to confine commands: no network, no home, no credentials, the room alone.

    Attributes:
        name: bubblewrap, namespaces, or another; recorded with every attempt.
    """

    name: str

    def run(self, command: Command, room: Room, bounds: Bounds) -> Ran:
        """Run a command to its end; what it meets is in the record.

        Raises:
            SolonError: The sandbox itself is not to be had (``sandbox``).
        """
        ...

    def start(self, command: Command, room: Room, bounds: Bounds, stdout: Path, stderr: Path) -> Process:
        """Start a command whose streams go to files of at most ``bounds.file_mb``; raises as ``run``."""
        ...
