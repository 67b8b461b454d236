"""PDF through PDFium: paragraphs from the printed lines, one page segment a page, OCR for pages without text."""

from __future__ import annotations

import ctypes
import re
from typing import Any

from tasks.matter.failures import FailureCause
from tasks.sources.builder import Reading, TextBuilder, clean
from tasks.sources.limits import UnreadableError
from tasks.sources.readers import Source
from tasks.sources.readers.ocr import Recogniser
from tasks.sources.readers.pdf_layout import Flow, Line, running_lines, split_running
from tasks.sources.readers.pdf_notes import Note, notes_of
from tasks.sources.records import SegmentKind

_MIN_CHARACTERS = 12  # fewer printed characters on a page with an image mean a scan
_MAX_PAGES = 5000


def read(source: Source) -> Reading:
    """Read a PDF; raises UnreadableError where nothing can be opened."""
    import pypdfium2

    if source.tables:
        from tasks.sources.readers.pdf_tables import read_tables

        return read_tables(source)
    out = TextBuilder()
    document = _open(source.data, pypdfium2)
    try:
        notes: list[Note] = []
        _write(_pages(document, source, out, notes), out)
        for note in notes:
            kind = f"Form field {note.field}" if note.field else "Comment"
            out.block(f"[{kind}, p. {note.page}: {note.text}]", SegmentKind.COMMENT, f"p. {note.page}, {kind.lower()}")
    finally:
        document.close()
    return out.build()


def _open(data: bytes, pypdfium2: Any) -> Any:
    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower() or getattr(error, "err_code", 0) in {4, 5}:
            raise UnreadableError("The PDF is encrypted.", "Save a copy without a password and run again.") from error
        raise UnreadableError(
            f"The PDF is damaged ({error}).", "Print or export the document to a new PDF and run again."
        ) from error


def _pages(document: Any, source: Source, out: TextBuilder, notes: list[Note]) -> list[list[Line]]:
    count = len(document)
    if count > _MAX_PAGES:
        out.fail(FailureCause.CAPACITY, f"Only the first {_MAX_PAGES} of {count} pages were read.", "Split the PDF.")
    recogniser = Recogniser(source.limits.ocr_pages)
    pages: list[list[Line]] = []
    for number in range(min(count, _MAX_PAGES)):
        try:
            page = document[number]
            lines = page_lines(page)
            notes.extend(notes_of(page, number + 1))
        except (RuntimeError, ValueError) as error:
            out.fail(FailureCause.READER, f"p. {number + 1} could not be read ({error}).", "Export a new PDF.")
            pages.append([])
            continue
        if sum(len(line.text) for line in lines) < _MIN_CHARACTERS and _has_image(page):
            lines = recogniser.lines(page, number + 1, out) or lines
        pages.append(lines)
        page.close()
    return pages


def _has_image(page: Any) -> bool:
    return any(obj.type in {3, 5} for obj in page.get_objects(max_depth=3))


def page_lines(page: Any) -> list[Line]:
    """Return the printed lines of a page with their places."""
    from pypdfium2 import raw

    textpage = page.get_textpage()
    try:
        return _lines_of(textpage, raw)
    finally:
        textpage.close()


def _lines_of(textpage: Any, raw: Any) -> list[Line]:
    handle = textpage.raw
    codes = _codes(handle, raw, textpage.count_chars())
    lines: list[Line] = []
    start = 0
    for i, code in enumerate([*codes, 10]):
        if code in {10, 13}:
            if i > start:
                _append(lines, _line(handle, raw, codes, start, i))
            start = i + 1
    return lines


def _codes(handle: Any, raw: Any, count: int) -> list[int]:
    """Return the character codes of a page: in one call where offsets agree, else one by one."""
    buffer = (ctypes.c_ushort * (count + 1))()
    if raw.FPDFText_GetText(handle, 0, count, buffer) == count + 1:
        codes = [2 if code == 0xFFFE else code for code in buffer[:count]]  # both stand for a broken word's hyphen
        if not any(0xD800 <= code <= 0xDFFF or code == 0 for code in codes):
            return codes
    return [raw.FPDFText_GetUnicode(handle, i) for i in range(count)]


def _line(handle: Any, raw: Any, codes: list[int], start: int, end: int) -> Line | None:
    while start < end and chr(codes[start]).isspace():
        start += 1
    while end > start and (codes[end - 1] == 0 or chr(codes[end - 1]).isspace()):
        end -= 1
    if start == end:
        return None
    text = "".join(_char(c) for c in codes[start:end])
    tail = "\u00ad" if codes[end - 1] in {2, 0xFFFE} else ""
    text = re.sub(r"\s[-=]{3,}$", "", re.sub(r"[ \t]+", " ", clean(text)).strip()) + tail
    if not text or re.fullmatch(r"[-=–—~* ]{4,}", text):  # rules drawn with characters
        return None
    first, last = _box(handle, raw, start), _box(handle, raw, end - 1)
    if last[1] <= first[0] and end - start > 1:
        last = _box(handle, raw, end - 2)
    return Line(text, first[0], max(last[1], first[1]), first[2], max(first[3], 1.0))


def _char(code: int) -> str:
    return "" if code == 0 or code > 0x10FFFF else chr(code)


def _box(handle: Any, raw: Any, index: int) -> tuple[float, float, float, float]:
    """Return left, right, baseline and font size of a character."""
    rect = raw.FS_RECTF()
    raw.FPDFText_GetLooseCharBox(handle, index, ctypes.byref(rect))
    x, y = ctypes.c_double(), ctypes.c_double()
    raw.FPDFText_GetCharOrigin(handle, index, ctypes.byref(x), ctypes.byref(y))
    return float(rect.left), float(rect.right), float(y.value), float(abs(rect.top - rect.bottom))


def _append(lines: list[Line], line: Line | None) -> None:
    """Add a line; pieces on one baseline (cells of a table, a tab) are one line."""
    if line is None:
        return
    before = lines[-1] if lines else None
    same = before and abs(before.baseline - line.baseline) < 0.3 * line.height and line.left >= before.right - 2
    if before and same:
        joined = f"{before.text} {line.text}"
        lines[-1] = Line(joined, before.left, line.right, before.baseline, max(before.height, line.height))
    else:
        lines.append(line)


def _write(pages: list[list[Line]], out: TextBuilder) -> None:
    running = running_lines(pages)
    flow = Flow([])
    apart: dict[str, str] = {}
    for number, page in enumerate(pages, start=1):
        lines, margin = split_running(page, running, top=number > 1)
        for line in margin:
            shape = re.sub(r"\d+", "#", line.text)
            if re.search(r"[A-Za-z]{3}", line.text):
                apart.setdefault(shape, line.text)
        flow.add_page(number, lines)
    starts: list[tuple[int, int]] = []
    for paragraph in flow.paragraphs:
        if paragraph.text:
            out.gap()
        base = out.offset
        starts.extend((base + at, number) for at, number in paragraph.starts)
        if paragraph.text:
            out.block(paragraph.text.replace("\u00ad", "-"))
    end = out.offset
    for (start, number), (stop, _) in zip(starts, [*starts[1:], (end, 0)], strict=True):
        out.mark(SegmentKind.PAGE, f"p. {number}", start, stop)
    for text in apart.values():
        out.block(text, SegmentKind.FOOTER, "running header or footer")
