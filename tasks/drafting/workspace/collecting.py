"""What a solver left in ``output``: plain files become the work product, all else is refused and taken away."""

from __future__ import annotations

import hashlib
import os
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tasks.drafting.records import OutputFile
from tasks.drafting.workspace.trees import DEEPEST, LONGEST, entries, opened, raze, too_deep
from tasks.matter.failures import Failure, FailureCause
from tasks.matter.records import safe_filename

MOST_FILES = 2_000  # of one attempt; what a solver leaves behind has no other bound
MOST_BYTES = 256 * 1024**2  # of one file
_NAMED = 20  # refusals that are told one by one
_KINDS = {
    stat.S_IFLNK: "a link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


@dataclass(frozen=True)
class Collected:
    """The files of a work product, ordered by name, and one failure for each thing that was refused."""

    files: tuple[OutputFile, ...]
    refused: tuple[Failure, ...]


@dataclass(frozen=True)
class _Found:
    name: str
    facts: os.stat_result
    why: str


def collect(output: Path) -> Collected:
    """Gather the plain files below ``output``; nothing is followed, and nothing opened that could keep one waiting.

    Links, pipes, sockets, devices, files with a second name elsewhere, names that cannot be shown, and what is too
    deep, too large or too many is removed: every later stage reads the folder by its names.
    """
    if not os.path.lexists(output):
        return Collected((), ())
    with opened(output) as top:
        found = list(_judged(top))
        for entry in _outermost(entry for entry in found if entry.why):
            _remove(entry.name, top)
        files = [_file(entry, top) for entry in found if not entry.why and stat.S_ISREG(entry.facts.st_mode)]
    return Collected(tuple(f for f in files if f), tuple(_told([e for e in found if e.why])))


def _judged(top: int) -> Iterator[_Found]:
    """Yield what lies below the folder with why it is refused; empty where it is not."""
    everything = list(entries(top))
    names = Counter((facts.st_dev, facts.st_ino) for _, facts in everything)
    kept = 0
    for name, facts in everything:
        why = _why(name, facts, names[facts.st_dev, facts.st_ino])
        if not why and stat.S_ISREG(facts.st_mode):
            kept += 1
            why = f"is one file more than {MOST_FILES}" if kept > MOST_FILES else ""
        yield _Found(name, facts, why)


def _why(name: str, facts: os.stat_result, names: int) -> str:
    own = PurePosixPath(name).name
    if len(os.fsencode(name)) > LONGEST:
        return f"has a path of more than {LONGEST} bytes"
    if not safe_filename(own):
        return "has a name that cannot be shown"
    if stat.S_ISDIR(facts.st_mode):
        return f"lies {DEEPEST} folders deep" if too_deep(name, facts) else ""
    if kind := _KINDS.get(stat.S_IFMT(facts.st_mode)):
        return f"is {kind}, not a file"
    if facts.st_nlink > names:
        return "is a hard link to a file elsewhere"
    return f"is larger than {MOST_BYTES // 1024**2} MiB" if facts.st_size > MOST_BYTES else ""


def _outermost(refused: Iterator[_Found]) -> Iterator[_Found]:
    """Leave out what goes with the folder it lies in."""
    last = ""
    for entry in refused:
        if not last or not entry.name.startswith(f"{last}/"):
            last = entry.name
            yield entry


def _remove(name: str, top: int) -> None:
    *folders, own = name.split("/")
    handle = os.dup(top)
    try:
        for folder in folders:
            with opened(folder, handle) as inner:
                os.dup2(inner, handle)
        raze(own, handle)
    finally:
        os.close(handle)


def _file(entry: _Found, top: int) -> OutputFile | None:
    """Hash a file as it is now; None where a folder above it was refused and it is gone."""
    try:
        rights = entry.facts.st_mode & 0o644 | 0o600  # its owner may have closed it, or given it special rights
        os.chmod(entry.name, rights, dir_fd=top)
        handle = os.open(entry.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=top)
    except FileNotFoundError:
        return None
    with os.fdopen(handle, "rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return OutputFile(filename=entry.name, sha256=digest, size=entry.facts.st_size)


def _told(refused: list[_Found]) -> Iterator[Failure]:
    for entry in refused[:_NAMED]:
        subject = entry.name.encode("utf-8", "backslashreplace").decode()
        yield _failure(f"output/{subject}", f"It {entry.why}; it was removed.")
    if len(refused) > _NAMED:
        yield _failure("output", f"{len(refused) - _NAMED} more entries were refused and removed.")


def _failure(subject: str, message: str) -> Failure:
    remedy = "Leave plain files with plain names in output/."
    return Failure(cause=FailureCause.POLICY, stage="drafting", subject=subject, message=message, remedy=remedy)
