"""Plain text and Markdown: verbatim, with paragraphs, headings and stored page breaks as segments."""

from __future__ import annotations

import re

from tasks.sources.builder import MAX_CHARACTERS, Reading, TextBuilder
from tasks.sources.readers import Source
from tasks.sources.records import SegmentKind
from tasks.sources.sniff import wide_encoding

_PARAGRAPH = re.compile(r"\S[^\n]*(?:\n(?![ \t]*\n)[^\n]*)*")
_MD_HEADING = re.compile(r"(#{1,6})(\s+)")
_PAGE_MARK = re.compile(r"^[ \t]*<PAGE>[ \t]*+(?:\d++[ \t]*+)?$", re.MULTILINE)


def decode(data: bytes) -> str:
    """Decode text: byte-order mark, UTF-8, else Windows-1252 as law firms' old files are."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if encoding := wide_encoding(data):
        return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _heading(block: str) -> tuple[int, str]:
    """Return level and title of a Markdown heading, without the number signs that may close it; level 0 for none."""
    opened = _MD_HEADING.match(block)
    if opened is None:
        return 0, ""
    rest = block[opened.end() :]
    title = rest.rstrip("#").rstrip() or rest[:1] or opened.group(2)[1:].replace("\n", "")[-1:]
    return (len(opened.group(1)), title) if title and "\n" not in title else (0, "")


def read(source: Source) -> Reading:
    """Read text as it stands."""
    text = _PAGE_MARK.sub("\f", decode(source.data)[: 2 * MAX_CHARACTERS])
    out = TextBuilder()
    for match in _PARAGRAPH.finditer(text.replace("\r\n", "\n").replace("\r", "\n")):
        if out.cut:
            break
        block = match.group()
        level, title = _heading(block)
        if level:
            out.block(block, SegmentKind.HEADING, title[:120], level=level)
        else:
            out.block(block)
    out.pages()
    return out.build()
