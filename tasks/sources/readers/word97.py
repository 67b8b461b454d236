"""Legacy Word files (.doc, Word 97 to 2003): the words by the file's own table of pieces.

Numbers that Word computes are not stored in such a file, and what was struck out under tracked changes still stands in
its text; both are reported.
"""

from __future__ import annotations

import io
import re
import struct

from tasks.matter.failures import FailureCause
from tasks.sources.builder import Reading, TextBuilder
from tasks.sources.limits import UnreadableError
from tasks.sources.readers import Source
from tasks.sources.records import SegmentKind

_REMEDY = "Save it as .docx and run again."
_ENCRYPTED, _SECOND_TABLE = 0x0100, 0x0200  # flags of the file information block ([MS-DOC] 2.5.2)
_PIECES = 33  # the place of the table of pieces among the file's tables
_LENGTHS = 10  # numbers of the header that are read: ``_STORIES`` names the tenth as its last
_INSTRUCTION = re.compile("\x13[^\x13\x14\x15]*(?:\x14|(?=\x15))")  # how a field is computed, before its result
_SIGNS = str.maketrans({"\x1e": "-", "\x1f": "", "\x15": "", "\x13": "", "\x14": "", "\x01": "", "\x02": "", "\x05": "",
                        "\x08": "", "\x03": "", "\x04": "", "\x0b": "\n", "\x0c": "\f"})  # fmt: skip
# What follows the main text, in the order of the file; the lengths stand at these places of its header.
_STORIES = (
    (4, SegmentKind.FOOTNOTE, "Footnotes"),
    (5, SegmentKind.HEADER, "Headers and footers"),
    (6, None, ""),
    (7, SegmentKind.COMMENT, "Comments"),
    (8, SegmentKind.FOOTNOTE, "Endnotes"),
    (9, SegmentKind.PARAGRAPH, "Text boxes"),
)


def read(source: Source) -> Reading:
    """Read a legacy Word file."""
    import olefile  # type: ignore[import-untyped]

    try:
        with olefile.OleFileIO(io.BytesIO(source.data)) as file:
            main = file.openstream("WordDocument").read()
            (flags,) = struct.unpack_from("<H", main, 0x0A)
            if flags & _ENCRYPTED:
                raise UnreadableError("The file is encrypted with a password.", "Save a copy without a password.")
            table = file.openstream("1Table" if flags & _SECOND_TABLE else "0Table").read()
        lengths, text = _text(main, table)
    except (OSError, struct.error, ValueError, IndexError, TypeError, AttributeError) as error:
        raise UnreadableError(f"The legacy Word file is damaged ({error}).", _REMEDY) from error
    out = TextBuilder()
    _write(out, text[: lengths[3]])
    start = lengths[3]
    for index, kind, name in _STORIES:
        story = _plain(text[start : start + lengths[index]])
        start += lengths[index]
        words = " ".join(story.replace("\f", " ").replace("\x07", " ").replace("\r", " ").split())
        if words and kind is not None:
            out.block(f"[{name}: {words}]", kind, name.lower())
    out.pages()
    out.fail(
        FailureCause.POLICY,
        "A legacy Word file: computed numbers are not shown, tracked deletions count as text.",
        _REMEDY,
    )
    return out.build()


def _text(main: bytes, table: bytes) -> tuple[tuple[int, ...], str]:
    """Return the lengths of the file's stories and the whole text, assembled from its pieces."""
    (words,) = struct.unpack_from("<H", main, 0x20)
    at = 0x22 + 2 * words
    (count,) = struct.unpack_from("<H", main, at)
    lengths = struct.unpack_from(f"<{count}I", main, at + 2)
    start, size = struct.unpack_from("<II", main, at + 2 + 4 * count + 2 + 8 * _PIECES)
    pieces = table[start : start + size]
    at = 0
    while pieces[at : at + 1] == b"\x01":  # properties that pieces refer to
        at += 3 + int(struct.unpack_from("<H", pieces, at + 1)[0])
    if pieces[at : at + 1] != b"\x02" or len(lengths) < _LENGTHS:
        raise ValueError("it has no table of pieces")
    (size,) = struct.unpack_from("<I", pieces, at + 1)
    number = (size - 4) // 12
    places = struct.unpack_from(f"<{number + 1}I", pieces, at + 5)
    parts = []
    for n in range(number):
        (where,) = struct.unpack_from("<I", pieces, at + 5 + 4 * (number + 1) + 8 * n + 2)
        length = places[n + 1] - places[n]
        if length < 0 or length > len(main):
            raise ValueError("its pieces do not fit")
        if where & 0x40000000:
            begin = (where & 0x3FFFFFFF) // 2
            parts.append(main[begin : begin + length].decode("cp1252", "replace"))
        else:
            parts.append(main[where : where + 2 * length].decode("utf-16-le", "replace"))
    return lengths, "".join(parts)


def _plain(text: str) -> str:
    """Return words without the instructions of fields, removing nested fields from the inside out."""
    for _ in range(8):
        text, found = _INSTRUCTION.subn("", text)
        if not found:
            break
    return text.translate(_SIGNS)


def _write(out: TextBuilder, text: str) -> None:
    """Write paragraphs, and rows of tables: their cells end with a mark, and one more ends the row.

    An empty cell looks like the end of a row; it counts as a cell where the row is shorter than the table's first.
    """
    cells: list[str] = []
    rows = width = 0
    start = 0
    for piece, end in re.findall("([^\r\x07]*)([\r\x07]|$)", _plain(text)):
        if end == "\x07" and (piece or cells):
            if piece.strip() or not cells or (rows and len(cells) < width):
                cells.append(" ".join(piece.split()))
                continue
            start = start if rows else out.offset
            rows, width = rows + 1, width if rows else len(cells)
            out.block(" | ".join(cells), SegmentKind.ROW, f"row {rows}", gap=1 if rows > 1 else 2)
            cells = []
        elif cells:
            cells[-1] = f"{cells[-1]} {' '.join(piece.split())}".strip()
        elif piece.strip():
            if rows:
                out.mark(SegmentKind.TABLE, "table", start, out.offset)
                rows = 0
            out.block(piece)
    if cells:
        out.block(" | ".join(cells), SegmentKind.ROW, f"row {rows + 1}", gap=1)
    if rows:
        out.mark(SegmentKind.TABLE, "table", start, out.offset)
