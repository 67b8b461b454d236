"""Walking and removing folders that a hostile command filled: never through a link, however deep, however many."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from itertools import count

DEEPEST = 64  # folders within folders; what lies deeper is not looked at
LONGEST = 2000  # bytes of a path below the room; the system takes 4,096 of a whole one
_SPECIAL = stat.S_ISUID | stat.S_ISGID | stat.S_ISVTX
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextlib.contextmanager
def opened(name: str | os.PathLike[str], within: int | None = None) -> Iterator[int]:
    """Open a folder that is no link, by its name within an opened one; one that its owner closed is opened to them."""
    try:
        handle = os.open(name, _FOLDER, dir_fd=within)
    except PermissionError:
        os.chmod(name, 0o700, dir_fd=within)
        handle = os.open(name, _FOLDER, dir_fd=within)
    try:
        try:
            os.stat(".", dir_fd=handle)
        except PermissionError:  # its names may be listed, and nothing behind them be looked at
            os.fchmod(handle, 0o700)
        yield handle
    finally:
        os.close(handle)


def entries(handle: int, depth: int = 1) -> Iterator[tuple[str, os.stat_result]]:
    """Yield what lies below an opened folder, sorted, by its path within.

    Folders come before what is in them; those at the greatest depth are yielded and not entered.
    """
    for name in sorted(os.listdir(handle)):
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):  # a process that still runs took it away
            facts = os.stat(name, dir_fd=handle, follow_symlinks=False)
            yield name, facts
            if stat.S_ISDIR(facts.st_mode) and depth < DEEPEST:
                with opened(name, handle) as inner:
                    yield from ((f"{name}/{below}", known) for below, known in entries(inner, depth + 1))


def raze(name: str, within: int) -> None:
    """Remove a file, a link or a whole folder; of any depth, for no path is ever followed down."""
    facts = os.stat(name, dir_fd=within, follow_symlinks=False)
    _own(within)
    if not stat.S_ISDIR(facts.st_mode):
        os.unlink(name, dir_fd=within)
        return
    with opened(name, within) as top:
        _own(top)
        numbers = count()
        while found := os.listdir(top):  # noqa: PTH208
            for entry in found:
                _flatten(entry, top, numbers)
    os.rmdir(name, dir_fd=within)


def _own(handle: int) -> None:
    """Open a folder to its owner, who may have closed it to writing."""
    mode = stat.S_IMODE(os.fstat(handle).st_mode)
    if mode & 0o700 != 0o700:
        os.fchmod(handle, mode | 0o700)


def trim(folder: os.PathLike[str]) -> bool:
    """Remove what lies too deep below a folder for others to remove, and take special rights off programs.

    Returns:
        Whether anything was too deep.
    """
    with opened(folder) as top:
        os.fchmod(top, 0o755)  # a command may have closed it
        found = list(entries(top))
        for name, facts in found:
            closed = facts.st_mode & 0o600 != 0o600  # whom the file belongs to has to read it, and write it anew
            odd = stat.S_ISREG(facts.st_mode) and (closed or facts.st_mode & _SPECIAL)
            if odd and len(os.fsencode(name)) <= LONGEST:  # what has a longer path is removed below
                os.chmod(name, 0o700, dir_fd=top)
        deep = {name.partition("/")[0] for name, facts in found if too_deep(name, facts)}
        for name in deep:
            raze(name, top)
    return bool(deep)


def too_deep(name: str, facts: os.stat_result) -> bool:
    """Whether this is a folder that is too deep to enter, or whose path is too long to be said."""
    long = len(os.fsencode(name)) > LONGEST
    return (long or name.count("/") >= DEEPEST - 1) and stat.S_ISDIR(facts.st_mode)


def _flatten(entry: str, top: int, numbers: Iterator[int]) -> None:
    """Remove an entry of the top folder; the folders in it become entries of the top folder themselves."""
    if not stat.S_ISDIR(os.stat(entry, dir_fd=top, follow_symlinks=False).st_mode):
        os.unlink(entry, dir_fd=top)
        return
    with opened(entry, top) as inner:
        _own(inner)
        for name in os.listdir(inner):  # noqa: PTH208
            if stat.S_ISDIR(os.stat(name, dir_fd=inner, follow_symlinks=False).st_mode):
                os.rename(name, f".razed-{os.getpid()}-{next(numbers)}", src_dir_fd=inner, dst_dir_fd=top)
            else:
                os.unlink(name, dir_fd=inner)
    os.rmdir(entry, dir_fd=top)
