"""The data room of a matter: which files count as documents, and their hashes."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from io import BufferedReader
from pathlib import Path

from tasks.matter.failures import Failure, FailureCause
from tasks.matter.private import MARKER, is_judging_file, why_private
from tasks.matter.records import DocumentRef

_NOT_THERE = {errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG}
_SYSTEM_FILES = {".ds_store", "thumbs.db", "desktop.ini"}
MAX_BYTES = 1024**3  # the readers refuse far smaller files; this bounds what is hashed
_STEP = 1024**2  # bytes read at once


def is_document(name: str) -> bool:
    """Tell whether a file name is a document rather than a system or lock file."""
    return not name.startswith((".", "~$")) and name.lower() not in _SYSTEM_FILES


def _walk(folder: Path, closed: Callable[[OSError], None]) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder, onerror=closed, followlinks=False):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        if MARKER in files and Path(parent) != folder:  # a folder of our own within the data room
            folders.clear()
            continue
        linked = [name for name in folders if (Path(parent) / name).is_symlink()]  # which os.walk leaves out
        for name in sorted((*files, *linked)):
            if is_document(name):
                yield Path(parent) / name


@lru_cache(maxsize=20_000)
def _hash(path: Path, size: int, mtime_ns: int) -> str:  # size and mtime are the cache key
    del mtime_ns
    with _opened(path) as stream:
        digest, left = hashlib.sha256(), size
        while left > 0 and (step := stream.read(min(left, _STEP))):
            digest.update(step)
            left -= len(step)
    return digest.hexdigest()


def _opened(path: Path) -> BufferedReader:
    # a path may become a pipe after it was looked at: opening one must not wait for a writer
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | getattr(os, "O_NOCTTY", 0))
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    raise OSError("it is no longer a regular file")


def changes(documents: Iterable[DocumentRef]) -> tuple[Failure, ...]:
    """Return one failure for each document that is no longer what was loaded.

    The bytes of each are read again, without relying on time stamps or caches.
    """
    return tuple(change for document in documents if (change := change_of(document)))


def change_of(document: DocumentRef) -> Failure | None:
    """Return how a document differs from its loaded version; None where it does not."""
    try:
        with _opened(document.path) as stream:
            same = os.fstat(stream.fileno()).st_size == document.size
            if same and hashlib.file_digest(stream, "sha256").hexdigest() == document.sha256:
                return None
        message = "The file changed after the matter was loaded."
    except OSError as error:
        message = f"The file cannot be opened any more ({error.strerror or error})."
    return changed_failure(document.name, message)


def changed_failure(name: str, message: str) -> Failure:
    """Return the failure of a document that was altered or lost after its matter was loaded."""
    return Failure(
        cause=FailureCause.CHANGED,
        stage="matter",
        subject=name,
        message=message,
        remedy="restore the document and run again with the same --run-id, or load the matter again",
    )


def list_documents(
    folder: Path, boundary: Path, refuse: Callable[[Path], str] | None = None
) -> tuple[list[DocumentRef], list[Failure]]:
    """List the documents below ``folder``, ordered by name.

    A link that leads outside ``boundary`` or into a folder of ours, and a file that cannot be opened are withheld,
    with the reason. Folders of ours within the data room are no part of it.

    Args:
        folder: Root of the data room.
        boundary: Folder that no document may lie outside of (the corpus).
        refuse: Returns why the caller may not read a file; empty where it may.

    Returns:
        The documents, and one failure for each file withheld and each folder that is a link or cannot be listed, whose
        name then ends in a slash.
    """
    documents: list[DocumentRef] = []
    withheld: list[Failure] = []

    def closed(error: OSError) -> None:
        within = Path(error.filename).relative_to(folder).as_posix()
        withheld.append(unopened("./" if within == "." else f"{within}/", error))

    limit = boundary.resolve()
    for path in _walk(folder, closed):
        name = path.relative_to(folder).as_posix() + ("/" if path.is_dir() else "")
        found = _document(path, name, limit, refuse or _private_link)
        if isinstance(found, DocumentRef):
            documents.append(found)
        else:
            withheld.append(found)
    return sorted(documents, key=lambda d: d.name), withheld


def unopened(name: str, error: Exception) -> Failure:
    """Return the failure of a file or folder that cannot be opened.

    A link without a target is a fact of the data room. Rights, disks and network drives are our infrastructure: what
    depends on the document then is not the drafter's failure.
    """
    number = getattr(error, "errno", None)
    cause = FailureCause.INPUT if number in _NOT_THERE or isinstance(error, RuntimeError) else FailureCause.READER
    kind = "folder" if name.endswith("/") else "file"
    shown = name.encode("utf-8", "backslashreplace").decode("utf-8")
    return Failure(
        cause=cause,
        stage="matter",
        subject=shown,
        message=f"the {kind} cannot be opened ({getattr(error, 'strerror', None) or error})",
        remedy="check that it exists and that you may read it",
    )


def _private_link(path: Path) -> str:
    """Refuse a link into one of our folders; the data room itself may lie anywhere."""
    return why_private(path) if path.is_symlink() else ""


def _document(path: Path, name: str, limit: Path, refuse: Callable[[Path], str]) -> DocumentRef | Failure:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        shown = name.encode("utf-8", "backslashreplace").decode("utf-8")
        return _withheld(shown, "has a name that is not UTF-8", "rename the file", FailureCause.INPUT)
    try:
        real = path.resolve()
        facts = real.stat()
        refused = _refused(path, real, name, limit, facts, refuse)
        digest = "" if refused else _hash(real, facts.st_size, facts.st_mtime_ns)
    except (OSError, RuntimeError) as error:  # RuntimeError: a link that leads to itself
        return unopened(name, error)
    return refused or DocumentRef(name=name, path=real, sha256=digest, size=facts.st_size)


def _refused(
    path: Path, real: Path, name: str, limit: Path, facts: os.stat_result, refuse: Callable[[Path], str]
) -> Failure | None:
    """Return why a file is withheld before a byte of it is read; None where it may be read."""
    if path.is_symlink() and not real.is_relative_to(limit):
        return _withheld(name, "is a link that leads out of the corpus", "replace the link by the file")
    if is_judging_file(real.name) or is_judging_file(path.name):
        return _withheld(name, "may hold a rubric or verdicts, by its name", "rename it if it is a document")
    if why := refuse(path):
        return _withheld(name, why, "put the documents elsewhere")
    if stat.S_ISDIR(facts.st_mode):
        return _withheld(name, "is a link to a folder", "put the folder itself there", FailureCause.INPUT)
    if not stat.S_ISREG(facts.st_mode):
        return _withheld(name, "is a pipe, a socket or a device, not a file", "remove it", FailureCause.INPUT)
    if facts.st_size > MAX_BYTES:
        message = f"is larger than {MAX_BYTES // 1024**2} MB"
        return _withheld(name, message, "split it", FailureCause.CAPACITY)
    return None


def _withheld(name: str, why: str, remedy: str, cause: FailureCause = FailureCause.POLICY) -> Failure:
    return Failure(cause=cause, stage="matter", subject=name, message=f"withheld: it {why}", remedy=remedy)
