"""Laying out the room of an attempt: documents and texts as files to be read, folders to write in."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from tasks.drafting.workspace.records import Room
from tasks.matter.dataroom import changed_failure
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import DocumentRef, Matter
from tasks.sources.records import CanonicalText

_STEP = 1024**2  # bytes read at once


def open_room(matter: Matter, texts: Mapping[str, CanonicalText], workspace: Path) -> Room:
    """Lay the data room of a matter out below the workspace of an attempt.

    Documents are copies: nothing that a solver does reaches the originals. What stands in ``output`` and ``scratch``
    stays, so that a second pass finds its work; documents and texts are laid out anew.

    Args:
        matter: Its documents are checked against their hashes while they are copied.
        texts: Canonical texts by document name.
        workspace: Private folder of the attempt.

    Raises:
        SolonError: A document is no longer what was loaded (``changed``), or has a name that leads out of the data
            room (``policy``).
    """
    base = workspace.resolve()
    room = Room(base / "documents", base / "text", base / "output", base / "scratch")
    for folder in (room.documents, room.text):
        shutil.rmtree(folder, ignore_errors=True)
    for folder in (room.documents, room.text, room.output, room.scratch):
        _folder(folder)
    for document in matter.documents:
        _copy(document, _below(room.documents, document.name))
    for name, text in texts.items():
        target = _below(room.text, f"{name}.txt")
        target.write_text(text.text, encoding="utf-8", errors="replace")
        target.chmod(0o444)
    return room


def close_room(room: Room) -> None:
    """Remove the copies of the data room when the attempt has ended; output and scratch stay as evidence."""
    for folder in (room.documents, room.text):
        shutil.rmtree(folder, ignore_errors=True)


def _folder(path: Path) -> Path:
    """Make a folder others may enter too, whatever the umask: its parents are private."""
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o755)
    return path


def _below(folder: Path, name: str) -> Path:
    """Return where a document of this name stands, its folders made."""
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or "\x00" in name:
        raise SolonError(
            Failure(
                cause=FailureCause.POLICY,
                stage="workspace",
                subject=name,
                message="The name of this document leads out of the data room.",
                remedy="Rename the document and load the matter again.",
            )
        )
    for depth in range(1, len(parts)):
        _folder(folder.joinpath(*parts[:depth]))
    return folder.joinpath(*parts)


def _copy(document: DocumentRef, target: Path) -> None:
    digest = hashlib.sha256()
    try:
        with target.open("xb") as stream:
            for step in _read(document.path, document.size):
                digest.update(step)
                stream.write(step)
    except OSError as error:
        message = f"The file cannot be opened any more ({error.strerror or error})."
        raise SolonError(changed_failure(document.name, message)) from None
    if digest.hexdigest() != document.sha256:
        raise SolonError(changed_failure(document.name, "The file changed after the matter was loaded."))
    target.chmod(0o444)


def _read(path: Path, size: int) -> Iterator[bytes]:
    """Yield at most one byte more than the document had: a pipe in its place is not read for ever."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    with os.fdopen(handle, "rb") as stream:
        left = size + 1
        while left > 0 and (step := stream.read(min(left, _STEP))):
            left -= len(step)
            yield step
