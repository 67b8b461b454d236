"""The public side of a matter: brief, data room and deliverable specification."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from tasks.matter.base import Record, content_hash
from tasks.matter.failures import Failure

_LONGEST_NAME = 200  # bytes: file systems take 255, and a part of a file that is being written has a longer name


class DocumentRef(Record):
    """A file of the data room.

    Attributes:
        name: POSIX path relative to the data room; unique within the matter.
        path: Where the bytes lie on this machine; not part of any digest.
        sha256: Hash of the bytes (64 hex digits).
        size: Bytes.
    """

    name: str
    path: Path
    sha256: str
    size: int


class Deliverable(Record):
    """A file that the work product must contain.

    Attributes:
        name: Name used by the task.
        filename: Exact file name to write into ``output/``.
    """

    name: str
    filename: str

    @property
    def suffix(self) -> str:
        """Lower-case suffix with its dot, e.g. ``.docx``."""
        return PurePosixPath(self.filename).suffix.lower()


class Matter(Record):
    """One matter as a solver may see it. Holds no byte of a rubric.

    Attributes:
        matter_id: POSIX path of the task within its corpus, e.g. ``tax/opinion-001``.
        area: Practice area (first part of the path), e.g. ``tax``.
        work_type: analyze, draft, review, research, or empty.
        instructions: The brief, verbatim.
        deliverables: Files asked for; empty when any file in ``output/`` counts.
        documents: The data room, ordered by name.
        problems: What was withheld or could not be loaded, and why.
    """

    schema_version: int = 1
    matter_id: str
    title: str
    area: str
    work_type: str = ""
    tags: tuple[str, ...] = ()
    instructions: str
    deliverables: tuple[Deliverable, ...] = ()
    documents: tuple[DocumentRef, ...] = ()
    problems: tuple[Failure, ...] = ()

    @property
    def key(self) -> str:
        """Opaque key of the matter: what the learner calls it, which is not shown to a proposer."""
        return content_hash(self.digest)[:16]

    @property
    def digest(self) -> str:
        """Content hash over what defines the matter; independent of where it lies."""
        return content_hash(
            [
                self.matter_id,
                self.title,
                self.work_type,
                self.instructions,
                [d.model_dump() for d in self.deliverables],
                [[d.name, d.sha256] for d in self.documents],
            ]
        )


class Corpus(Record):
    """Matters that can be run and the problems of those that cannot."""

    schema_version: int = 1
    root: Path
    matters: tuple[Matter, ...]
    problems: tuple[Failure, ...] = ()


def repeated(names: Iterable[str]) -> str:
    """Return the first of these file names that stands for the same file as an earlier one; empty where none does."""
    seen = set[str]()
    for name in names:
        if name.casefold() in seen:  # some disks tell no capitals
            return name
        seen.add(name.casefold())
    return ""


def safe_filename(name: str) -> bool:
    """Tell whether a deliverable's file name is a bare name that can be written below ``output/``."""
    bare = bool(name) and name == PurePosixPath(name).name and "\\" not in name and name not in {".", ".."}
    return bare and name.isprintable() and len(name.encode("utf-8", "replace")) <= _LONGEST_NAME
