"""Limits of all processes of a command together, which the kernel keeps only for each of them."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator, Mapping, Sequence

_MIB = 1024**2  # bytes
_DEEPEST = 64  # folders within folders
_SOCKETS = 1024  # each may hold some hundred kB that are no process's memory
_OWN = (b"RssAnon", b"RssShmem", b"VmPTE")  # not the pages of programs, which many processes share
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_DISK_EVERY = 0.5  # seconds, at least: a folder of many files takes a while to count
_REST = 10  # times what counting took passes before the next: it uses a tenth of the time at most


class SandboxWatch:
    """Looks at processes, memory and files from inside the sandbox, whose ``/proc`` shows nothing else.

    Args:
        limits: The bounds of the command.
        writable: Folders on disk that it may write.
        memory: Folders in memory that it may write; what lies there counts as memory.
        ours: Processes that are not the command's.
    """

    def __init__(
        self, limits: Mapping[str, float], writable: Sequence[str], memory: Sequence[str], ours: Sequence[int]
    ) -> None:
        self._limits = limits
        self._writable = writable
        self._memory = memory
        self._ours = {str(pid) for pid in ours}
        self._disk_due = 0.0

    def breach(self, now: float) -> str:
        """Return the limit that is passed, in one sentence; empty where all is well.

        Not being able to look is a breach too: the command may have brought that about.
        """
        try:
            said = self._processes()
            if not said and now >= self._disk_due:
                said = self._disk()
                took = time.monotonic() - now
                self._disk_due = now + max(_DISK_EVERY, _REST * took)
        except OSError as error:
            return f"Its use of memory and disk could no longer be measured ({error.strerror})."
        return said

    def _processes(self) -> str:
        threads, resident, most = 0, 0, self._limits["processes"]
        for name in self._commands():
            used = _used(name)
            threads += used[0]
            resident += used[1] * 1024
            if threads > most:
                return f"It had more than {most:.0f} processes and threads at a time."
        for folder in self._memory:
            facts = os.statvfs(folder)
            resident += (facts.f_blocks - facts.f_bfree) * facts.f_frsize
            if facts.f_files - facts.f_ffree > self._limits["files"]:
                return f"It made more than {self._limits['files']:.0f} files."
        if resident > self._limits["memory_mb"] * _MIB:
            return f"All of it together used more than {self._limits['memory_mb']:.0f} MiB of memory."
        if _sockets() > _SOCKETS:
            return f"It had more than {_SOCKETS} sockets at a time."
        return ""

    def _disk(self) -> str:
        files, size = 0, self._unnamed()
        for folder in self._writable:
            for facts, depth in _entries(folder):
                files += 1
                size += facts.st_blocks * 512
                if files > self._limits["files"]:
                    return f"It made more than {self._limits['files']:.0f} files."
                if depth > _DEEPEST:
                    return f"It made folders more than {_DEEPEST} deep."
        if size > self._limits["room_mb"] * _MIB:
            return f"It wrote more than {self._limits['room_mb']:.0f} MiB."
        return ""

    def _unnamed(self) -> int:
        """Return the bytes on disk of files that have no name any more and are still held; of one mapped, the most."""
        devices = {os.stat(folder).st_dev for folder in self._writable}  # noqa: PTH116
        held: dict[tuple[int, int], int] = {}
        for pid in self._commands():
            try:
                for number in os.listdir(f"/proc/{pid}/fd"):  # noqa: PTH208
                    facts = _facts(f"/proc/{pid}/fd/{number}")
                    if facts and not facts.st_nlink and stat.S_ISREG(facts.st_mode) and facts.st_dev in devices:
                        held[facts.st_dev, facts.st_ino] = facts.st_blocks * 512
                for device, inode in _mapped(pid):
                    if device in devices:
                        held.setdefault((device, inode), int(self._limits["file_mb"]) * _MIB)
            except (FileNotFoundError, ProcessLookupError):  # it has just ended
                continue
        return sum(held.values())

    def _commands(self) -> Iterator[str]:
        names = os.listdir("/proc")  # noqa: PTH208 - twenty times a second
        return (name for name in names if name.isdigit() and name not in self._ours)


def _facts(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)  # noqa: PTH116
    except FileNotFoundError:  # closed meanwhile
        return None


def _mapped(pid: str) -> Iterator[tuple[int, int]]:
    """Yield the files without a name that a process has mapped, by device and number."""
    with open(f"/proc/{pid}/maps", "rb") as stream:  # noqa: PTH123
        for line in stream:
            if line.endswith(b"(deleted)\n"):
                major, minor = line.split()[3].split(b":")
                yield os.makedev(int(major, 16), int(minor, 16)), int(line.split()[4])


def _sockets() -> int:
    """Return the sockets of the sandbox, which has a network of its own and so counts them itself."""
    with open("/proc/net/sockstat", "rb") as stream:  # noqa: PTH123
        return int(stream.readline().split()[2])


def _used(pid: str) -> tuple[int, int]:
    """Return the threads and the kB of memory of a process that are its own; nothing where it has just ended."""
    try:
        with open(f"/proc/{pid}/status", "rb") as stream:  # noqa: PTH123 - read twenty times a second
            rows = dict(line.split(b":", 1) for line in stream.read().splitlines() if b":" in line)
    except (FileNotFoundError, ProcessLookupError):
        return 0, 0
    return int(rows.get(b"Threads", b"0")), sum(int(rows.get(key, b"0 kB").split()[0]) for key in _OWN)


def _entries(place: str | int, depth: int = 1) -> Iterator[tuple[os.stat_result, int]]:
    """Yield what lies below a folder with its depth, never through a link, and never by a path that could be long."""
    handle = place if isinstance(place, int) else os.open(place, _FOLDER)
    try:
        for name in os.listdir(handle):  # noqa: PTH208 - a descriptor, not a path
            try:
                facts = os.stat(name, dir_fd=handle, follow_symlinks=False)
                yield facts, depth
                if stat.S_ISDIR(facts.st_mode):
                    yield from _entries(os.open(name, _FOLDER, dir_fd=handle), depth + 1)
            except (FileNotFoundError, NotADirectoryError):  # it went away meanwhile
                continue
    finally:
        os.close(handle)
