"""Budgets of reading, and the guard of archives."""

from __future__ import annotations

import lzma
import zipfile
import zlib
from dataclasses import dataclass, field
from io import BytesIO

_STEP = 64 * 1024  # bytes read at a time before the budget is checked again
OUT_OF_MEMORY = 75  # exit code of a reading process that could not even say that it got no memory
_SMALL = 10 * 1024**2  # bytes that a member may unfold to at any ratio: white space packs to a hundredth and more


@dataclass(frozen=True)
class ReaderLimits:
    """Budgets of reading one document.

    Attributes:
        memory_bytes: Address space of the reading process.
        cpu_seconds: Processor time of one document.
        wall_seconds: Wall time of one document.
        file_bytes: Largest file that is opened.
        archive_bytes: Bytes that an archive may unpack to.
        archive_members: Files that an archive may hold.
        markup_bytes: Bytes of one part of a document in XML; its tree takes some fifteen times as much.
        ocr_pages: Pages of one document that are put through character recognition.
        depth: Attachments within attachments that are followed.
    """

    memory_bytes: int = 2 * 1024**3
    cpu_seconds: int = 240
    wall_seconds: float = 300.0
    file_bytes: int = 200 * 1024**2
    archive_bytes: int = 400 * 1024**2
    archive_members: int = 20_000
    markup_bytes: int = 64 * 1024**2
    archive_ratio: int = 400
    ocr_pages: int = 60
    depth: int = 4


class OverBudgetError(Exception):
    """A document needs more than its budget; the message says of which resource."""


class UnreadableError(Exception):
    """A document cannot be read, for a reason that the user can act on."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.remedy = remedy


@dataclass
class GuardedZip:
    """A zip archive read by streaming under a byte budget: declared sizes are not trusted."""

    data: bytes
    limits: ReaderLimits = field(default_factory=ReaderLimits)
    _spent: int = 0

    def __post_init__(self) -> None:
        try:
            self._zip = zipfile.ZipFile(BytesIO(self.data))
        except (zipfile.BadZipFile, ValueError, OSError, EOFError, NotImplementedError) as error:
            raise UnreadableError(
                f"The file is damaged or cut off: its archive cannot be opened ({error}).",
                "Ask for the file again, or open and save it in its own program.",
            ) from error
        if len(self._zip.namelist()) > self.limits.archive_members:
            raise OverBudgetError(f"The archive holds more than {self.limits.archive_members} files.")
        self._names = {name.lstrip("/").lower(): name for name in reversed(self._zip.namelist())}

    def names(self) -> list[str]:
        """Return the member names in archive order."""
        return self._zip.namelist()

    def has(self, name: str) -> bool:
        """Tell whether a member exists, ignoring case as Office does."""
        return name.lstrip("/").lower() in self._names

    def read(self, name: str) -> bytes:
        """Return a member's bytes; raises OverBudgetError or UnreadableError."""
        info = self._zip.getinfo(self._names[name.lstrip("/").lower()])
        if info.flag_bits & 1:
            raise UnreadableError("The archive is encrypted.", "Save a copy without a password.")
        ceiling = max(_SMALL, info.compress_size * self.limits.archive_ratio)
        parts: list[bytes] = []
        size = 0
        try:
            with self._zip.open(info) as stream:
                while piece := stream.read(_STEP):
                    size += len(piece)
                    self._spent += len(piece)
                    if self._spent > self.limits.archive_bytes or size > ceiling:
                        raise OverBudgetError(f"The archive unpacks to more than its budget at {name}.")
                    parts.append(piece)
        except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, RuntimeError) as error:
            raise UnreadableError(f"The part {name} is damaged ({error}).", "Ask for the file again.") from error
        return b"".join(parts)

    def total_within_budget(self) -> None:
        """Stream every member once, so that a library may then open the archive by itself."""
        for name in self.names():
            if not name.endswith("/"):
                self.read(name)
