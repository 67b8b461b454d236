"""Limits of all processes of a command together, which the kernel keeps only for each of them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence

_MIB = 1024**2
_DEEPEST = 64  # folders within folders
_OWN = (b"RssAnon", b"RssShmem", b"VmPTE")  # not the pages of programs, which many processes share
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_DISK_EVERY = 0.5  # seconds: a folder of many files takes a while to count


class Watch:
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
                self._disk_due = now + _DISK_EVERY
                said = self._disk()
        except OSError as error:
            return f"Its use of memory and disk could no longer be measured ({error.strerror})."
        return said

    def _processes(self) -> str:
        threads, resident, most = 0, 0, self._limits["processes"]
        for name in os.listdir("/proc"):  # noqa: PTH208 - twenty times a second
            if not name.isdigit() or name in self._ours:
                continue
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
        return ""

    def _disk(self) -> str:
        files = size = 0
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
