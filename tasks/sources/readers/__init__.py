"""One reader per format. To add one: a module with ``read``, and a line in ``READERS``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType

from tasks.matter.code import code_version
from tasks.sources.builder import Reading
from tasks.sources.limits import ReaderLimits


@dataclass(frozen=True)
class Source:
    """A document handed to a reader.

    Attributes:
        name: File name as the user knows it; for messages and by suffix for hints only.
        depth: How many documents this one is nested in (an attachment of an attachment: 2).
        redlines: Show tracked changes between marks instead of accepting them.
        tables: Of a PDF only its tables, one line per row, instead of its running text.
        nested: Reads a document inside this one; readers call it instead of the registry.
    """

    data: bytes
    name: str
    limits: ReaderLimits = field(default_factory=ReaderLimits)
    depth: int = 0
    nested: Callable[[bytes, str, int], Reading] | None = None
    redlines: bool = False
    tables: bool = False


Reader = Callable[[Source], Reading]

# The module of each media type.
READERS: Mapping[str, str] = MappingProxyType(
    {
        "docx": "tasks.sources.readers.docx.reader",
        "pdf": "tasks.sources.readers.pdf.reader",
        "txt": "tasks.sources.readers.plain",
        "md": "tasks.sources.readers.plain",
        "xlsx": "tasks.sources.readers.xlsx",
        "pptx": "tasks.sources.readers.pptx",
        "eml": "tasks.sources.readers.mail",
        "msg": "tasks.sources.readers.outlook",
        "doc": "tasks.sources.readers.word97",
        "odt": "tasks.sources.readers.odt",
        "rtf": "tasks.sources.readers.rtf",
        "csv": "tasks.sources.readers.delimited",
        "html": "tasks.sources.readers.web",
        "json": "tasks.sources.readers.data",
    }
)


def reader_of(media: str) -> Reader | None:
    """Return the reader of a media, imported on first use; None where there is none."""
    if media not in READERS:
        return None
    reader: Reader = import_module(READERS[media]).read
    return reader


def extractor_of(media: str) -> str:
    """Return the media type and the version of its reader's code, e.g. ``docx/5f0c21…``; ``docx/0`` for no reader."""
    return f"{media}/{code_version(READERS[media]) if media in READERS else 0}"
