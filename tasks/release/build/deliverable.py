"""Build a deliverable from Markdown and typed tables, in the format its file name asks for."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from types import MappingProxyType

from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.release.build.docx import docx_bytes
from tasks.release.build.pdf import pdf_bytes
from tasks.release.build.plain import csv_bytes, eml_bytes, json_bytes, md_bytes, txt_bytes
from tasks.release.build.pptx import pptx_bytes
from tasks.release.build.xlsx import xlsx_bytes
from tasks.release.tables import Column, Table

__all__ = ["Column", "Table", "build_deliverable", "deliverable_bytes"]

Builder = Callable[[str, Sequence[Table]], bytes]
BUILDERS: MappingProxyType[str, Builder] = MappingProxyType(
    {
        ".docx": docx_bytes,
        ".xlsx": xlsx_bytes,
        ".pptx": pptx_bytes,
        ".pdf": pdf_bytes,
        ".md": md_bytes,
        ".txt": txt_bytes,
        ".csv": csv_bytes,
        ".json": json_bytes,
        ".eml": eml_bytes,
    }
)


def require_format(suffix: str, subject: str = "") -> None:
    """Raise a SolonError (``input``) if no deliverable can be written with this suffix; ``subject`` is its file."""
    if suffix.lower() not in BUILDERS:
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="release",
                subject=subject or suffix or "(no suffix)",
                message="Deliverables cannot be written in this format.",
                remedy=f"Ask for one of {', '.join(sorted(BUILDERS))}.",
            )
        )


def deliverable_bytes(markdown: str | None, tables: Sequence[Table] | None, suffix: str) -> bytes:
    """Return the bytes of a deliverable; the same content gives the same bytes.

    Args:
        markdown: Its text; may be empty.
        tables: Typed tables, which follow the text.
        suffix: Suffix of the file with its dot, in small letters or capitals.

    Raises:
        SolonError: The format cannot be written (``input``).
    """
    require_format(suffix)
    builder = BUILDERS[suffix.lower()]
    return builder(markdown or "", tuple(tables or ()))


def build_deliverable(markdown: str | None, tables: Sequence[Table] | None, path: Path) -> None:
    """Write a deliverable in the format of its suffix, completely or not at all.

    Args:
        markdown: Its text; may be empty.
        tables: Typed tables, which follow the text.
        path: The file. Its folder is made if missing; a file of that name is replaced.

    Raises:
        SolonError: The format cannot be written (``input``).
        OSError: The file cannot be written.
    """
    data = deliverable_bytes(markdown, tables, path.suffix)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name[:80]}.{secrets.token_hex(6)}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
