"""The data room of a matter: which files count as documents, and their hashes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from tasks.matter.failures import Failure, FailureCause
from tasks.matter.records import DocumentRef

_SYSTEM_FILES = {".ds_store", "thumbs.db", "desktop.ini"}


def is_document(name: str) -> bool:
    """Tell whether a file name is a document rather than a system or lock file."""
    return not name.startswith((".", "~$")) and name.lower() not in _SYSTEM_FILES


def _walk(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder, followlinks=False):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in sorted(files):
            if is_document(name):
                yield Path(parent) / name


@lru_cache(maxsize=20_000)
def _hash(path: Path, size: int, mtime_ns: int) -> str:  # size and mtime are the cache key
    del size, mtime_ns
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def list_documents(folder: Path, boundary: Path) -> tuple[list[DocumentRef], list[Failure]]:
    """List the documents below ``folder``, ordered by name.

    A link that leads outside ``boundary`` and a file that cannot be opened are withheld, with the reason.

    Args:
        folder: Root of the data room.
        boundary: Folder that no document may lie outside of (the corpus).

    Returns:
        The documents, and one failure for each file withheld.
    """
    documents: list[DocumentRef] = []
    withheld: list[Failure] = []
    limit = boundary.resolve()
    for path in _walk(folder):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() and not path.resolve().is_relative_to(limit):
            withheld.append(_withheld(name, "is a link that leads out of the corpus", "replace the link by the file"))
            continue
        try:
            stat = path.stat()
            digest = _hash(path, stat.st_size, stat.st_mtime_ns)
        except OSError as error:
            withheld.append(
                Failure(
                    cause=FailureCause.INPUT,
                    stage="matter",
                    subject=name,
                    message=f"the file cannot be opened ({error.strerror or error})",
                    remedy="check that it exists and that you may read it",
                )
            )
            continue
        documents.append(DocumentRef(name=name, path=path.resolve(), sha256=digest, size=stat.st_size))
    return sorted(documents, key=lambda d: d.name), withheld


def _withheld(name: str, why: str, remedy: str) -> Failure:
    return Failure(
        cause=FailureCause.POLICY, stage="matter", subject=name, message=f"withheld: it {why}", remedy=remedy
    )
