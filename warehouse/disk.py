"""Tells a full disk from every other error, whichever library raised it, and names the full place."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
# Libraries that write by themselves hand on the words of the system, not its number.
_WORDS = ("no space left on device", "disk quota exceeded", "disk is full", "max_temp_directory_size")
_TOO_LARGE = "file too large"  # said of many an input too: believed of DuckDB alone, which writes with these words
REMEDY = "free space, or raise the quota or the file-size limit (`ulimit -f`)"


def is_full(error: BaseException) -> bool:
    """Whether an error says that a disk, a quota or a file-size limit is used up."""
    return any(_says_full(one) for one in _chain(error))


def full_place(error: BaseException, folder: Path | None = None) -> str:
    """Say in one sentence which place is full.

    Args:
        error: An error for which ``is_full`` holds.
        folder: The folder written to, for errors that do not name their file.
    """
    named = next(
        (f for one in _chain(error) if isinstance(one, OSError) for f in (one.filename2, one.filename) if f), None
    )
    where = Path(os.fsdecode(named)) if isinstance(named, str | bytes) else folder
    told = f"no space left on the disk{f' of {where}' if where else ''}"
    if any(_limited(one) for one in _chain(error)):
        return f"{told}: a file reached the file-size limit"
    if where is None:
        return told
    place = _mount_of(where)
    try:
        usage = shutil.disk_usage(place)
    except OSError:
        return told
    return f"{told} (file system {place}, {usage.free / 2**20:,.1f} of {usage.total / 2**20:,.0f} MiB free)"


def _says_full(error: BaseException) -> bool:
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno in _FULL
    text = str(error).lower()
    return any(words in text for words in _WORDS) or _limited(error)


def _limited(error: BaseException) -> bool:
    """Whether the error is a limit on the size of one file."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno == errno.EFBIG
    return "duckdb" in type(error).__module__ and _TOO_LARGE in str(error).lower()


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and its causes."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        yield error
        seen.add(id(error))
        error = error.__cause__


def _mount_of(path: Path) -> Path:
    path = Path(os.path.abspath(path))  # noqa: PTH100 - a full disk must not make us resolve links
    return next((p for p in (path, *path.parents) if os.path.ismount(p)), Path(path.anchor))
