"""One reader a format. To add one: a module with ``read``, and a line in ``READERS``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType

from tasks.sources.builder import Reading
from tasks.sources.limits import ReaderLimits


@dataclass(frozen=True)
class Source:
    """A document handed to a reader.

    Attributes:
        name: File name as the user knows it; for messages and by suffix for hints only.
        depth: How many documents this one is nested in (an attachment of an attachment: 2).
        redlines: Show tracked changes between marks instead of accepting them.
        tables: Of a PDF only its tables, a line a row, instead of its running text.
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

# media -> (module, version). Raise the version whenever the reader's text changes.
READERS: Mapping[str, tuple[str, int]] = MappingProxyType(
    {
        "docx": ("tasks.sources.readers.docx.reader", 2),
        "pdf": ("tasks.sources.readers.pdf.reader", 2),
        "txt": ("tasks.sources.readers.plain", 2),
        "md": ("tasks.sources.readers.plain", 2),
        "xlsx": ("tasks.sources.readers.xlsx", 2),
        "pptx": ("tasks.sources.readers.pptx", 2),
        "eml": ("tasks.sources.readers.mail", 2),
        "msg": ("tasks.sources.readers.outlook", 2),
        "doc": ("tasks.sources.readers.word97", 1),
        "odt": ("tasks.sources.readers.odt", 1),
        "rtf": ("tasks.sources.readers.rtf", 1),
        "csv": ("tasks.sources.readers.delimited", 2),
        "html": ("tasks.sources.readers.web", 3),
        "json": ("tasks.sources.readers.data", 2),
    }
)


def reader_of(media: str) -> Reader | None:
    """Return the reader of a media, imported on first use; None where there is none."""
    if media not in READERS:
        return None
    reader: Reader = import_module(READERS[media][0]).read
    return reader


def extractor_of(media: str) -> str:
    """Return reader and version, e.g. ``docx/1``."""
    return f"{media}/{READERS[media][1]}" if media in READERS else f"{media}/0"
