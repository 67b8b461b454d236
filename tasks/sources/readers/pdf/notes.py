"""What a PDF page holds besides its text: comments, and the values typed into form fields."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from typing import Any

from tasks.sources.builder import clean

_MAX_NOTES = 2000  # bounds the time that one page may take
_LONGEST = 1_000_000  # bytes of an entry; a longer one is damage or hostile, and is left out


@dataclass(frozen=True)
class Note:
    """A comment, or a form field with its value."""

    page: int
    text: str
    field: str = ""


def notes_of(page: Any, number: int) -> list[Note]:
    """Return the comments and filled fields of a page, in the order of the file."""
    from pypdfium2 import raw

    found: list[Note] = []
    for index in range(min(raw.FPDFPage_GetAnnotCount(page.raw), _MAX_NOTES)):
        annotation = raw.FPDFPage_GetAnnot(page.raw, index)
        if not annotation:
            continue
        try:
            if raw.FPDFAnnot_GetSubtype(annotation) == raw.FPDF_ANNOT_WIDGET:
                name, value = _string(raw, annotation, b"T"), _string(raw, annotation, b"V")
                if value:
                    found.append(Note(number, value, name or "field"))
            elif contents := _string(raw, annotation, b"Contents"):
                found.append(Note(number, contents))
        finally:
            raw.FPDFPage_CloseAnnot(annotation)
    return found


def _string(raw: Any, annotation: Any, key: bytes) -> str:
    """Return an entry of an annotation, UTF-16 as PDFium hands it out."""
    size = raw.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    if size <= 2 or size > _LONGEST:
        return ""
    buffer = ctypes.create_string_buffer(size)
    raw.FPDFAnnot_GetStringValue(annotation, key, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), size)
    return re.sub(r"\s+", " ", clean(buffer.raw[: size - 2].decode("utf-16-le", "replace"))).strip()
