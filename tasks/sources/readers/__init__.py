"""One reader for each format. To add one: write its module with ``read``, and add its line in ``FORMATS``."""

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


@dataclass(frozen=True)
class Format:
    """A media type that can be read.

    Attributes:
        module: Where its ``read`` lies; imported on first use.
        suffixes: Of its files, the usual one first.
        magic: How its bytes begin, where that tells it from every other.
        text: Plain text is taken for it by the suffix alone.
        pages: Its lines may be those of printed pages, and are joined to paragraphs.
    """

    module: str
    suffixes: tuple[str, ...]
    magic: bytes = b""
    text: bool = False
    pages: bool = False


_HERE = "tasks.sources.readers"
FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "docx": Format(f"{_HERE}.docx.reader", (".docx", ".docm"), pages=True),
        "pdf": Format(f"{_HERE}.pdf.reader", (".pdf",), pages=True),
        "txt": Format(f"{_HERE}.plain", (".txt", ".text", ".log", ".jsonl"), text=True, pages=True),
        "md": Format(f"{_HERE}.plain", (".md", ".markdown"), text=True),
        "xlsx": Format(f"{_HERE}.xlsx", (".xlsx", ".xlsm", ".xls")),
        "pptx": Format(f"{_HERE}.pptx", (".pptx",)),
        "eml": Format(f"{_HERE}.mail", (".eml",), text=True),
        "msg": Format(f"{_HERE}.outlook", (".msg",)),
        "doc": Format(f"{_HERE}.word97", (".doc",), pages=True),
        "odt": Format(f"{_HERE}.odt", (".odt",), pages=True),
        "rtf": Format(f"{_HERE}.rtf", (".rtf",), magic=b"{\\rtf", pages=True),
        "csv": Format(f"{_HERE}.delimited", (".csv", ".tsv"), text=True),
        "html": Format(f"{_HERE}.web", (".html", ".htm", ".xhtml"), text=True),
        "json": Format(f"{_HERE}.data", (".json",), text=True),
    }
)
"""What can be read, by media type."""


def reader_of(media: str) -> Reader | None:
    """Return the reader of a media, imported on first use; None where there is none."""
    if media not in FORMATS:
        return None
    reader: Reader = import_module(FORMATS[media].module).read
    return reader


def extractor_of(media: str) -> str:
    """Return the media type and the version of its reader's code, e.g. ``docx/5f0c21…``; ``docx/0`` for no reader."""
    return f"{media}/{code_version(FORMATS[media].module) if media in FORMATS else 0}"
