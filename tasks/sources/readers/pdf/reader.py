"""PDF through PDFium: paragraphs from the printed lines, one page segment per page, OCR for pages without text."""

from __future__ import annotations

import ctypes
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tasks.matter.failures import FailureCause
from tasks.sources.builder import Reading, TextBuilder, clean
from tasks.sources.limits import UnreadableError
from tasks.sources.readers import Source
from tasks.sources.readers.ocr import Recogniser, page_label
from tasks.sources.readers.pdf.hyphens import BROKEN, Hyphens
from tasks.sources.readers.pdf.layout import Flow, PrintedLine, running_lines, split_running
from tasks.sources.readers.pdf.notes import Note, notes_of
from tasks.sources.readers.pdf.outline import Entries, heads_of, outline_of
from tasks.sources.records import SegmentKind

_MIN_CHARACTERS = 12  # fewer printed characters on a page with an image mean a scan
_MAX_PAGES = 5000  # bounds the time of one file; what is left out is said
_ONE_LINE = 0.3  # of the height: so far may the baselines of pieces of one line differ; chosen by eye
_PRINTED = re.compile(r"[^\r\n]+")
_MISPLACED = re.compile("[\0\ud800-\udfff]")  # where one stands, characters and their indices may not agree
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_TO_BROKEN = {0x02: BROKEN, 0xFFFE: BROKEN, ord(BROKEN): "\0"}  # PDFium's signs for a word broken at a line's end
_MARKED = re.compile(f"[\x02\ufffe{BROKEN}]")
_SPACES = re.compile(r"[ \t]+")
_RULE_AT_END = re.compile(r"\s[-=]{3,}$")
_RULE = re.compile(r"[-=–—~* ]{4,}")  # drawn with characters
_Box = Callable[[int], tuple[float, float, float, float]]


def read(source: Source) -> Reading:
    """Read a PDF; raises UnreadableError where nothing can be opened."""
    import pypdfium2

    if source.tables:
        from tasks.sources.readers.pdf.tables import read_tables

        return read_tables(source)
    out = TextBuilder()
    document = _open(source.data, pypdfium2)
    try:
        notes: list[Note] = []
        recogniser = Recogniser(source.limits.ocr_pages)
        _write(_pages(document, recogniser, out, notes), out, outline_of(document), recogniser.sure)
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


def _pages(document: Any, recogniser: Recogniser, out: TextBuilder, notes: list[Note]) -> list[list[PrintedLine]]:
    count = len(document)
    if count > _MAX_PAGES:
        out.fail(FailureCause.CAPACITY, f"Only the first {_MAX_PAGES} of {count} pages were read.", "Split the PDF.")
    pages: list[list[PrintedLine]] = []
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


def page_lines(page: Any) -> list[PrintedLine]:
    """Return the printed lines of a page with their places."""
    from pypdfium2 import raw

    textpage = page.get_textpage()
    try:
        return _lines_of(textpage, raw)
    finally:
        textpage.close()


def _lines_of(textpage: Any, raw: Any) -> list[PrintedLine]:
    handle = textpage.raw
    text = _characters(handle, raw, textpage.count_chars())
    box = _boxes(handle, raw)
    lines: list[PrintedLine] = []
    for printed in _PRINTED.finditer(text):
        _append(lines, _line(printed.group(), printed.start(), box))
    return lines


def _characters(handle: Any, raw: Any, count: int) -> str:
    """Return the characters of a page, each at its index: in one call where offsets agree, else one by one."""
    buffer = (ctypes.c_ushort * (count + 1))()
    if raw.FPDFText_GetText(handle, 0, count, buffer) == count + 1:
        text = bytes(buffer)[: 2 * count].decode("utf-16-le", "surrogatepass")
        if len(text) == count and not _MISPLACED.search(text):
            return text.translate(_TO_BROKEN) if _MARKED.search(text) else text
    codes = (raw.FPDFText_GetUnicode(handle, i) for i in range(count))
    return "".join(chr(code) if code <= sys.maxunicode else "\0" for code in codes).translate(_TO_BROKEN)


def _line(piece: str, start: int, box: _Box) -> PrintedLine | None:
    """Return a printed line; ``start`` is the index of its first character on the page."""
    start += len(piece) - len(piece := piece.lstrip())
    shown = len(piece)
    while shown and (piece[shown - 1] == "\0" or piece[shown - 1].isspace()):
        shown -= 1
    piece = piece[:shown]
    if not piece:
        return None
    text = clean(_PAIR.sub(_joined, piece)).strip()
    if "  " in text or "\t" in text:
        text = _SPACES.sub(" ", text)
    if text.endswith(("-", "=")):
        text = _RULE_AT_END.sub("", text)
    if not text or _RULE.fullmatch(text):
        return None
    end = start + len(piece)
    first, last = box(start), box(end - 1)
    if last[1] <= first[0] and end - start > 1:
        last = box(end - 2)
    return PrintedLine(text, first[0], max(last[1], first[1]), first[2], max(first[3], 1.0))


def _joined(pair: re.Match[str]) -> str:
    """Return the character of two halves: PDFium gives those beyond U+FFFF an index each."""
    return pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def _boxes(handle: Any, raw: Any) -> _Box:
    """Return a function that gives left, right, baseline and font size of a character of the page."""
    rect, x, y = raw.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
    to_rect, to_x, to_y = ctypes.byref(rect), ctypes.byref(x), ctypes.byref(y)

    def box(index: int) -> tuple[float, float, float, float]:
        raw.FPDFText_GetLooseCharBox(handle, index, to_rect)
        raw.FPDFText_GetCharOrigin(handle, index, to_x, to_y)
        return rect.left, rect.right, y.value, abs(rect.top - rect.bottom)

    return box


def _append(lines: list[PrintedLine], line: PrintedLine | None) -> None:
    """Add a line; pieces on one baseline (cells of a table, a tab) are one line."""
    if line is None:
        return
    before = lines[-1] if lines else None
    same = before and abs(before.baseline - line.baseline) < _ONE_LINE * line.height and line.left >= before.right - 2
    if before and same:
        joined = f"{before.text} {line.text}"
        lines[-1] = PrintedLine(joined, before.left, line.right, before.baseline, max(before.height, line.height))
    else:
        lines.append(line)


def _mended(line: PrintedLine, hyphens: Hyphens) -> PrintedLine:
    return replace(line, text=hyphens.mended(line.text)) if BROKEN in line.text else line


def _write(pages: list[list[PrintedLine]], out: TextBuilder, outline: Entries, sure: Mapping[int, int]) -> None:
    hyphens = Hyphens([line.text for page in pages for line in page])
    pages = [[_mended(line, hyphens) for line in page] for page in pages]
    running = running_lines(pages)
    flow = Flow([], hyphens)
    apart: dict[str, str] = {}
    for number, page in enumerate(pages, start=1):
        lines, margin = split_running(page, running, top=number > 1)
        for line in margin:
            shape = re.sub(r"\d+", "#", line.text)
            if re.search(r"[A-Za-z]{3}", line.text):
                apart.setdefault(shape, line.text.replace(BROKEN, "-"))
        flow.add_page(number, lines, heads_of(lines, outline.get(number, ())))
    starts: list[tuple[int, int]] = []
    for paragraph in flow.paragraphs:
        if paragraph.text:
            out.gap()
        base = out.offset
        starts.extend((base + at, number) for at, number in paragraph.starts)
        if paragraph.text:
            text = paragraph.text.replace(BROKEN, "-")
            kind = SegmentKind.HEADING if paragraph.level else SegmentKind.PARAGRAPH
            out.block(text, kind, text if paragraph.level else "", level=paragraph.level)
    end = out.offset
    for (start, number), (stop, _) in zip(starts, [*starts[1:], (end, 0)], strict=True):
        out.mark(SegmentKind.PAGE, page_label(number, sure.get(number)), start, stop)
    for text in apart.values():
        out.block(text, SegmentKind.FOOTER, "running header or footer")
