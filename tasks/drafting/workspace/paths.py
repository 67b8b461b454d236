"""Paths as a solver says them, confined to its room. No link is followed, at any depth, by any spelling."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import NoReturn

from tasks.drafting.workspace.records import ROOM, Room
from tasks.drafting.workspace.trees import entries
from tasks.matter.failures import Failure, FailureCause, SolonError

WRITABLE = ("output", "scratch")
_SEARCHED = ("documents", "output", "scratch", "text")  # where a bare name is looked for, in this order
_LONGEST_NAME = 200  # bytes: file systems take 255, and a file that is being written has a longer name
_LONGEST_PATH = 2000  # bytes: half of what the kernel takes, as the path of the room comes before it
_MOST_FILES = 20_000  # names listed: the bound of a room that a solver filled
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class Paths:
    """The files of a room for tools that run outside its sandbox (read, write, edit, glob, grep).

    A path is said as the solver sees it: ``documents/lease.docx``, ``/matter/output/memo.docx``, or a bare name, which
    is a file of the output when it is written, and is looked for in the whole room when it is read.
    """

    def __init__(self, room: Room) -> None:
        self._folders = {
            "documents": room.documents,
            "text": room.text,
            "output": room.output,
            "scratch": room.scratch,
        }

    def resolve(self, path: str, write: bool) -> Path:
        """Return the real path of what a solver named; a folder may be named to be read.

        Between this call and its use the place could be exchanged by a process that still runs: ``read`` and
        ``write`` leave no such moment.

        Raises:
            SolonError: It leads out of the room, through a link, to no plain file, or is to be written where only
                reading is allowed (``policy``); nothing is there to be read (``input``).
        """
        folder, parts = self._place(path, write)
        try:
            with self._opened(folder, parts[:-1], path) as handle:
                self._look(handle, parts, path, write)
        except FileNotFoundError:
            if not write:  # else its folders are not made yet, so nothing is in the way
                self._missing(path)
        return self._folders[folder].joinpath(*parts)

    def read(self, path: str, most: int = 64 * 1024**2) -> bytes:
        """Return the bytes of a file; raises as ``resolve``, and ``capacity`` where it is larger than ``most``."""
        folder, parts = self._place(path, write=False)
        try:
            with self._opened(folder, parts[:-1], path) as handle:
                self._look(handle, parts, path, write=False)
                file = os.open(parts[-1] if parts else ".", os.O_RDONLY | _FILE, dir_fd=handle)
        except FileNotFoundError:
            self._missing(path)
        except OSError as error:
            _refuse_because(path, error)
        try:
            facts = os.fstat(file)
            _plain(facts, path)
            if not stat.S_ISREG(facts.st_mode):  # before a stream is made of it, which raises for a folder
                _refuse(path, "is a folder, not a file", "Name a file in it.", FailureCause.INPUT)
            if facts.st_size > most:
                _refuse(path, f"is larger than {most} bytes", "Read a part of it.", FailureCause.CAPACITY)
            with os.fdopen(file, "rb", closefd=False) as stream:
                return stream.read(most)
        finally:
            os.close(file)

    def write(self, path: str, data: bytes) -> Path:
        """Write a whole file below output or scratch, in one step, making its folders; raises as ``resolve``."""
        folder, parts = self._place(path, write=True)
        with self._opened(folder, parts[:-1], path, make=True) as handle:
            self._look(handle, parts, path, write=True)
            partial = f".{parts[-1]}.{os.getpid()}.part"
            try:
                file = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FILE, 0o644, dir_fd=handle)
                with os.fdopen(file, "wb") as stream:
                    stream.write(data)
                os.rename(partial, parts[-1], src_dir_fd=handle, dst_dir_fd=handle)
            except OSError as error:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(partial, dir_fd=handle)
                _refuse_because(path, error)
        return self._folders[folder].joinpath(*parts)

    def files(self, folder: str = "") -> tuple[str, ...]:
        """Return the plain files of the room as a solver names them, sorted; of one of its folders where one is named.

        Links, pipes and devices are left out; at most 20,000 names.
        """
        wanted = [folder] if folder else list(self._folders)
        found: list[str] = []
        for name in wanted:
            place, parts = self._place(name, write=False)
            said = PurePosixPath(place, *parts)
            try:
                with self._opened(place, parts, name) as handle:
                    plain = ((said / n).as_posix() for n, facts in entries(handle) if stat.S_ISREG(facts.st_mode))
                    found += islice(plain, _MOST_FILES - len(found))
            except FileNotFoundError:
                self._missing(name)
        return tuple(sorted(found))

    def _place(self, path: str, write: bool) -> tuple[str, tuple[str, ...]]:
        """Return the folder of the room and the parts below it, by the words alone."""
        _speakable(path, write)
        parts = self._inside(path)
        if parts and parts[0] in self._folders:
            folder, rest = parts[0], parts[1:]
        elif not parts:
            _refuse(path, "is the whole room", f"Name a place in {', '.join(self._folders)}.", FailureCause.INPUT)
        else:
            folder, rest = ("output" if write else self._holder(parts)), parts
        if write and folder not in WRITABLE:
            _refuse(path, f"lies in {folder}/, which is only to be read", "Write below output/ or scratch/.")
        if write and not rest:
            _refuse(path, "is a folder", "Name a file in it.", FailureCause.INPUT)
        return folder, rest

    def _inside(self, path: str) -> tuple[str, ...]:
        """Return the parts of a path within the room; ``..`` is counted off by the words, for no link is followed."""
        parts = PurePosixPath(f"/{path.lstrip('/')}" if path.startswith("/") else path).parts
        if parts[:1] == ("/",):
            for name, real in (("", PurePosixPath(ROOM)), *((n, PurePosixPath(f)) for n, f in self._folders.items())):
                if parts[: len(real.parts)] == real.parts:
                    parts = (*filter(None, [name]), *parts[len(real.parts) :])
                    break
            else:
                _refuse(path, "leads out of the room", f"Only what lies below {ROOM} is there.")
        said: list[str] = []
        for part in parts:
            if part == ".." and not said:
                _refuse(path, "leads out of the room", f"Only what lies below {ROOM} is there.")
            if part == "..":
                said.pop()
            else:
                said.append(part)
        return tuple(said)

    def _holder(self, parts: tuple[str, ...]) -> str:
        """Return the folder in which a bare name stands; the documents where it is in none."""
        there = (name for name in _SEARCHED if os.path.lexists(self._folders[name].joinpath(*parts)))
        return next(there, "documents")

    @contextlib.contextmanager
    def _opened(self, folder: str, parts: tuple[str, ...], path: str, make: bool = False) -> Iterator[int]:
        """Open a folder step by step, each from the one before, so that no exchange in between leads elsewhere."""
        handle = os.open(self._folders[folder], _FOLDER)
        try:
            for part in parts:
                try:
                    if make:
                        with contextlib.suppress(FileExistsError):
                            os.mkdir(part, 0o755, dir_fd=handle)
                    inner = os.open(part, _FOLDER, dir_fd=handle)
                except FileNotFoundError:
                    raise
                except OSError as error:
                    _refuse_because(path, error)
                os.close(handle)
                handle = inner
            yield handle
        finally:
            os.close(handle)

    def _look(self, handle: int, parts: tuple[str, ...], path: str, write: bool) -> None:
        """Refuse what is no plain file or folder; a file that is to be written may be missing."""
        if not parts:
            return
        try:
            facts = os.stat(parts[-1], dir_fd=handle, follow_symlinks=False)
        except FileNotFoundError:
            if not write:
                raise
            return
        except OSError as error:
            _refuse_because(path, error)
        _plain(facts, path)
        if write and stat.S_ISDIR(facts.st_mode):
            _refuse(path, "is a folder", "Name a file in it.", FailureCause.INPUT)

    def _missing(self, path: str) -> NoReturn:
        near = get_close_matches(path, self.files(), n=3, cutoff=0.5)
        remedy = f"Is it {' or '.join(near)}?" if near else "List the folders of the room first."
        _refuse(path, "is not there", remedy, FailureCause.INPUT)


def _plain(facts: os.stat_result, path: str) -> None:
    if stat.S_ISLNK(facts.st_mode):
        _refuse(path, "is a link", "Links are not followed; copy the file instead.")
    if not stat.S_ISREG(facts.st_mode) and not stat.S_ISDIR(facts.st_mode):
        _refuse(path, "is a pipe, a socket or a device", "Use a plain file.")
    if stat.S_ISREG(facts.st_mode) and facts.st_nlink > 1:
        _refuse(path, "is a hard link", "Copy the file instead.")


def _speakable(path: str, write: bool) -> None:
    """Refuse what no file can be called, and names to be written that a reader could not see as they are."""
    try:
        long = len(path.encode("utf-8")) > _LONGEST_PATH
        long = long or (any(len(part.encode("utf-8")) > _LONGEST_NAME for part in path.split("/")) and write)
    except UnicodeEncodeError:
        _refuse(path.encode("utf-8", "replace").decode(), "is not UTF-8", "Use plain letters.")
    if long:
        _refuse(f"{path[:80]}…", "is too long a name", f"Use at most {_LONGEST_NAME} bytes.")
    if "\x00" in path or (write and not path.isprintable()):
        _refuse(path, "holds characters that cannot be seen", "Use letters, digits, spaces and . _ -")


def _refuse_because(path: str, error: OSError) -> NoReturn:
    _refuse(path, f"cannot be opened ({error.strerror})", "Links are not followed; name a plain file of the room.")


def _refuse(path: str, why: str, remedy: str, cause: FailureCause = FailureCause.POLICY) -> NoReturn:
    raise SolonError(Failure(cause=cause, stage="workspace", subject=path, message=why, remedy=remedy))
