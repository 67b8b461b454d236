"""HTML: the words a browser would show, in blocks; nothing is fetched and nothing runs."""

from __future__ import annotations

import itertools
import re
from typing import Any, AnyStr

from tasks.matter.failures import FailureCause
from tasks.sources.builder import LABEL, Reading, TextBuilder
from tasks.sources.readers import Source
from tasks.sources.records import SegmentKind

_DROPPED = ["script", "style", "noscript", "template", "iframe", "object", "svg", "head"]
_BLOCKS = {
    "p", "div", "section", "article", "header", "footer", "main", "aside", "nav", "li", "ul", "ol", "dl", "dt", "dd",
    "blockquote", "pre", "hr", "form", "fieldset", "figure", "figcaption", "address", "center", "body", "html",
    "h1", "h2", "h3", "h4", "h5", "h6", "table", "caption",
}  # fmt: skip
_DEPTH = 150  # of nested elements: the walk is recursive, and Python's own limit is 1,000 calls
_MAX_SIZE = 10_000_000  # bytes that are parsed: the tree takes a hundred times as much
_MAX_TAGS = 300_000  # that are parsed: every one takes time


def read(source: Source) -> Reading:
    """Read a page; the declared character set counts."""
    import bs4

    out = TextBuilder()
    soup = bs4.BeautifulSoup(bounded(out, source.data), "html.parser")
    write_html(out, soup)
    return out.build()


def bounded(out: TextBuilder, page: AnyStr) -> AnyStr:
    """Return the part of a page that is parsed: its tree takes a hundred times its size, and every tag takes time."""
    sign = b"<" if isinstance(page, bytes) else "<"
    beyond = next(itertools.islice(re.finditer(sign, page), _MAX_TAGS, None), None)
    end = min(_MAX_SIZE, len(page) if beyond is None else beyond.start())
    if end < len(page):
        out.fail(
            FailureCause.CAPACITY, f"Only the first {end} of {len(page)} bytes of the page were read.", "Split it."
        )
    return page[:end]


def write_html(out: TextBuilder, soup: Any) -> None:
    """Write parsed HTML."""
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    for element in soup(_DROPPED):
        element.decompose()
    walk = _Walk(out)
    walk.children(soup, 0)
    walk.flush()
    if title and title.lower() not in "".join(out._parts)[:3000].lower():
        out.block(f"[Title: {title}]", SegmentKind.HEADER, title)


def _rows(table: Any) -> list[list[str]]:
    """Return the words of the cells of a table that holds no other, row by row.

    A row or cell that nobody closed holds those after it in the parsed tree, though a browser shows them side by
    side: each word belongs to its innermost cell, each cell to its innermost row.
    """
    import bs4

    rows: list[list[list[str]]] = []
    places: dict[int, tuple[list[list[str]] | None, list[str] | None]] = {id(table): (None, None)}
    for node in table.descendants:
        row, cell = places[id(node.parent)]
        if isinstance(node, bs4.Tag):
            if node.name == "tr":
                row, cell = [], None
                rows.append(row)
            elif node.name in {"td", "th"} and row is not None:
                cell = []
                row.append(cell)
            places[id(node)] = (row, cell)
        elif cell is not None and type(node) in {bs4.element.NavigableString, bs4.element.CData}:
            cell.append(str(node))
    return [[" ".join(cell) for cell in row] for row in rows]


class _Walk:
    """Collects inline words until a block ends."""

    def __init__(self, out: TextBuilder) -> None:
        self.out = out
        self.words: list[str] = []

    def flush(self, level: int = 0) -> None:
        """Write the collected words as one block, a heading where it has a level."""
        if not self.words:
            return
        kind = SegmentKind.HEADING if level else SegmentKind.PARAGRAPH
        lines = [re.sub(r"[ \t\r\n\f]+", " ", part).strip() for part in "".join(self.words).split("\v")]
        text = "\n".join(filter(None, lines))
        self.words = []
        if text:
            self.out.block(text, kind, text[:LABEL] if kind is SegmentKind.HEADING else "", level=level)

    def children(self, element: Any, depth: int) -> None:
        """Walk the children of an element."""
        import bs4

        if depth > _DEPTH:
            self.out.fail(
                FailureCause.CAPACITY, "The page is nested too deeply; its inner part was flattened.", "Look at it."
            )
            self.words.append(element.get_text(" "))
            return
        for child in element.children:
            if isinstance(child, bs4.element.PreformattedString):
                continue
            if isinstance(child, bs4.element.NavigableString):
                self.words.append(str(child))
            elif isinstance(child, bs4.Tag):
                self._tag(child, depth)

    def _tag(self, tag: Any, depth: int) -> None:
        if tag.name == "br":
            self.words.append("\v")
        elif tag.name == "table" and not tag.find("table") and len(tag.find_all("tr")) > 1:
            self.flush()
            self._table(tag)
        elif tag.name in _BLOCKS or tag.name in {"tr", "td", "th"}:
            self.flush()
            if tag.name == "blockquote":
                start = self.out.offset
            self.children(tag, depth + 1)
            self.flush(int(tag.name[1]) if re.fullmatch(r"h[1-6]", tag.name) else 0)
            if tag.name == "blockquote":
                self.out.mark(SegmentKind.QUOTED, "quoted", start, self.out.offset)
        else:
            self.children(tag, depth + 1)

    def _table(self, table: Any) -> None:
        self.out.gap()
        start = self.out.offset
        for number, cells in enumerate(_rows(table), start=1):
            line = " | ".join(filter(None, (re.sub(r"\s+", " ", cell).strip() for cell in cells)))
            if line:
                self.out.block(line, SegmentKind.ROW, f"row {number}", gap=1)
        self.out.mark(SegmentKind.TABLE, "table", start, self.out.offset)
