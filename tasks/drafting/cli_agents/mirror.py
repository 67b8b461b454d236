"""Copies files between a folder that an agent can write and one that it cannot, while the agent is running.

Whatever is in the agent's folder may change into a link at any moment, so every step is taken from an open folder,
never through a path; nothing but regular files is copied, and never more than the bounds say.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from tasks.matter.failures import visible

MOST_FILES = 500  # a work product and its drafts; more is a program that went astray
MOST_BYTES = 512 * 2**20  # half of what a sandbox may write
_DEEPEST = 8  # folders in one another
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe would hold us without O_NONBLOCK
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_PART = ".solon-part"

State = dict[str, tuple[int, int]]


def state_of(folder: Path) -> State:
    """Return size and time of every regular file below a folder, by its path."""
    with _opened(folder) as top:
        return {name: (facts.st_size, facts.st_mtime_ns) for name, facts in _regular(top)}


def mirror(source: Path, target: Path, only: frozenset[str] | None = None, anew: bool = False) -> tuple[str, ...]:
    """Copy the regular files of ``source`` to ``target``; returns a sentence for each thing left out.

    Args:
        source: Where the truth is.
        target: Files that ``source`` does not have are removed from it, unless ``only`` is given.
        only: Copy these alone.
        anew: Copy also what has the size and the time of its copy: both can be set by whoever wrote the file.
    """
    left: list[str] = []
    with _opened(source) as top, _opened(target) as into:
        there = dict(_regular(into))
        found = dict(_regular(top, left))
        total = 0
        for name, facts in found.items():
            total += facts.st_size
            if only is not None and name not in only:
                continue
            if total > MOST_BYTES:
                left.append(f"{visible(name)}: there are more than {MOST_BYTES // 2**20} MiB")
            elif anew or _differs(facts, there.get(name)):
                try:
                    _copy(top, into, name, facts)
                except OSError as error:
                    left.append(f"{visible(name)}: {error.strerror}")
        if only is None:
            for name in there.keys() - found.keys():
                with contextlib.suppress(OSError):
                    _remove(into, name)
    return tuple(left)


def _differs(one: os.stat_result, other: os.stat_result | None) -> bool:
    return other is None or (one.st_size, one.st_mtime_ns) != (other.st_size, other.st_mtime_ns)


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int]:
    handle = os.open(folder, _FOLDER)
    try:
        yield handle
    finally:
        os.close(handle)


def _regular(top: int, left: list[str] | None = None) -> Iterator[tuple[str, os.stat_result]]:
    """Yield the regular files below an open folder; of other things a sentence goes to ``left``."""
    found = 0
    for folder, inner, names, handle in os.fwalk(".", dir_fd=top, follow_symlinks=False):
        depth = folder.count("/")
        inner[:] = sorted(inner) if depth < _DEEPEST else []
        for name in sorted(names + [n for n in inner if _is_link(handle, n)]):
            path = f"{folder}/{name}".removeprefix("./")
            try:
                facts = os.stat(name, dir_fd=handle, follow_symlinks=False)
            except OSError:
                continue
            if not stat.S_ISREG(facts.st_mode) or name.endswith(_PART):
                if left is not None:
                    left.append(f"{visible(path)}: is no regular file")
            elif (found := found + 1) <= MOST_FILES:
                yield path, facts
            elif left is not None and found == MOST_FILES + 1:
                left.append(f"{visible(path)} and others: there are more than {MOST_FILES} files")


def _is_link(handle: int, name: str) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=handle, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _copy(top: int, into: int, path: str, expected: os.stat_result) -> None:
    *folders, name = path.split("/")
    with _below(top, folders, make=False) as here, _below(into, folders, make=True) as there:
        read = os.open(name, _READ, dir_fd=here)
        with os.fdopen(read, "rb") as source:
            facts = os.fstat(read)
            if not stat.S_ISREG(facts.st_mode) or facts.st_size > MOST_BYTES:
                raise OSError(0, "changed while it was copied")
            part = f".{name[:150]}{_PART}"
            with contextlib.suppress(FileNotFoundError):
                os.unlink(part, dir_fd=there)
            write = os.open(part, _NEW, 0o644, dir_fd=there)
            with os.fdopen(write, "wb") as target:
                shutil.copyfileobj(_Bounded(source, MOST_BYTES), target)
                target.flush()
                os.utime(write, ns=(expected.st_mtime_ns, expected.st_mtime_ns))
        os.rename(part, name, src_dir_fd=there, dst_dir_fd=there)


class _Bounded:
    """Reads no more than was measured: a file may grow while it is read."""

    def __init__(self, below: IO[bytes], left: int) -> None:
        self.below, self.left = below, left

    def read(self, size: int = -1) -> bytes:
        piece = self.below.read(min(size if size >= 0 else self.left, self.left))
        self.left -= len(piece)
        return piece


@contextlib.contextmanager
def _below(top: int, folders: list[str], make: bool) -> Iterator[int]:
    with contextlib.ExitStack() as opened:
        handle = os.dup(top)
        opened.callback(os.close, handle)
        for name in folders:
            if make:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(name, 0o755, dir_fd=handle)
            handle = os.open(name, _FOLDER, dir_fd=handle)
            opened.callback(os.close, handle)
        yield handle


def _remove(into: int, path: str) -> None:
    *folders, name = path.split("/")
    with _below(into, folders, make=False) as there:
        os.unlink(name, dir_fd=there)
