"""Plain text and Markdown: verbatim, with paragraphs, headings and stored page breaks as segments."""

from __future__ import annotations

import re
from itertools import pairwise

from tasks.sources.builder import LABEL, MAX_CHARACTERS, Reading, TextBuilder
from tasks.sources.readers import Source
from tasks.sources.records import SegmentKind
from tasks.sources.sniff import wide_encoding

_PARAGRAPH = re.compile(r"\S[^\n]*(?:\n(?![ \t]*\n)[^\n]*)*")
_MD_HEADING = re.compile(r"(#{1,6})(\s+)")
_MD_LINE = re.compile(r"^#{1,6}[ \t]+\S.*$", re.MULTILINE)  # a heading needs no blank line around it
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
    marked = source.name.lower().endswith((".md", ".markdown"))
    for match in _PARAGRAPH.finditer(text.replace("\r\n", "\n").replace("\r", "\n")):
        if out.cut:
            break
        for number, block in enumerate(_parted(match.group()) if marked else [match.group()]):
            level, title = _heading(block)
            kind = SegmentKind.HEADING if level else SegmentKind.PARAGRAPH
            out.block(block, kind, title[:LABEL], gap=1 if number else 2, level=level)
    out.pages()
    return out.build()


def _parted(paragraph: str) -> list[str]:
    """Return the headings in a paragraph of Markdown and what stands between them, in order."""
    cuts = {0, len(paragraph), *(at for m in _MD_LINE.finditer(paragraph) for at in m.span())}
    return [part for a, b in pairwise(sorted(cuts)) if (part := paragraph[a:b].strip("\n"))]
