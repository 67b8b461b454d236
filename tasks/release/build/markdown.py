"""Markdown as blocks and runs, for every writer of deliverables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tasks.release.tables import Column, Table

BlockKind = Literal["heading", "paragraph", "item", "code", "table", "rule"]


@dataclass(frozen=True)
class Run:
    """A stretch of text in one style; ``line_break`` runs carry no text."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    strike: bool = False
    line_break: bool = False


@dataclass(frozen=True)
class Block:
    """A block of a document.

    Attributes:
        level: Of a heading, from 1.
        depth: Nesting of a list item, from 0.
        list_id: Identity of an ordered list (0 for bullets and continuation paragraphs).
        start: First number of the ordered list.
        quoted: Stands in a block quotation.
        rows: Of a table, the header first.
    """

    kind: BlockKind
    runs: tuple[Run, ...] = ()
    level: int = 0
    depth: int = 0
    list_id: int = 0
    start: int = 1
    quoted: bool = False
    continued: bool = False
    rows: tuple[tuple[tuple[Run, ...], ...], ...] = ()

    @property
    def text(self) -> str:
        """Return the text without styles."""
        return plain_runs(self.runs)


def plain_runs(runs: Sequence[Run]) -> str:
    """Join the text of runs."""
    return "".join("\n" if r.line_break else r.text for r in runs)


def blocks(markdown: str) -> list[Block]:
    """Parse Markdown (CommonMark with tables; HTML is text) into blocks."""
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    return list(_Walker(parser.parse(markdown.replace("\x00", ""))).walk())


class _Walker:
    """Walks the flat token stream, keeping the open lists and quotations."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.lists: list[tuple[int, int]] = []  # (list id or 0, first number)
        self.quotes = 0
        self.next_list = 1
        self.fresh_item = False

    def walk(self) -> Iterator[Block]:
        i = 0
        while i < len(self.tokens):
            token = self.tokens[i]
            if token.type == "table_open":
                end = next(j for j in range(i, len(self.tokens)) if self.tokens[j].type == "table_close")
                yield Block("table", rows=tuple(_rows(self.tokens[i:end])))
                i = end
            elif token.type == "heading_open":
                yield Block("heading", _runs(self.tokens[i + 1]), level=int(token.tag[1:]))
                i += 1
            elif token.type == "inline":
                yield self._paragraph(token)
            elif token.type in ("fence", "code_block"):
                yield Block("code", (Run(token.content.rstrip("\n"), code=True),), quoted=self.quotes > 0)
            elif token.type == "hr":
                yield Block("rule")
            else:
                self._nest(token)
            i += 1

    def _nest(self, token: Token) -> None:
        if token.type == "bullet_list_open":
            self.lists.append((0, 1))
        elif token.type == "ordered_list_open":
            self.lists.append((self.next_list, int(token.attrs.get("start", 1))))
            self.next_list += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self.lists.pop()
        elif token.type == "list_item_open":
            self.fresh_item = True
        elif token.type == "blockquote_open":
            self.quotes += 1
        elif token.type == "blockquote_close":
            self.quotes -= 1

    def _paragraph(self, token: Token) -> Block:
        quoted = self.quotes > 0
        if not self.lists:
            return Block("paragraph", _runs(token), quoted=quoted)
        list_id, start = self.lists[-1]
        continued = not self.fresh_item
        self.fresh_item = False
        depth = len(self.lists) - 1
        return Block(
            "item", _runs(token), depth=depth, list_id=list_id, start=start, quoted=quoted, continued=continued
        )


def _rows(tokens: Sequence[Token]) -> Iterator[tuple[tuple[Run, ...], ...]]:
    row: list[tuple[Run, ...]] = []
    for token in tokens:
        if token.type == "tr_open":
            row = []
        elif token.type == "inline":
            row.append(_runs(token))
        elif token.type == "tr_close":
            yield tuple(row)


def _runs(token: Token) -> tuple[Run, ...]:
    """Flatten inline tokens; a link keeps its address where the text does not show it."""
    runs: list[Run] = []
    bold = italic = strike = 0
    links: list[tuple[str, int]] = []
    for child in token.children or ():
        if child.type in ("strong_open", "strong_close"):
            bold += child.nesting
        elif child.type in ("em_open", "em_close"):
            italic += child.nesting
        elif child.type in ("s_open", "s_close"):
            strike += child.nesting
        elif child.type == "link_open":
            links.append((str(child.attrs.get("href", "")), len(runs)))
        elif child.type == "link_close":
            href, begin = links.pop()
            if href and not href.startswith("#") and href not in plain_runs(runs[begin:]):
                runs.append(Run(f" ({href})"))
        elif child.type == "hardbreak":
            runs.append(Run("", line_break=True))
        else:
            text = " " if child.type == "softbreak" else child.content
            code = child.type == "code_inline"
            runs.append(Run(text, bold > 0, italic > 0, code, strike > 0))
    return tuple(runs)


def plain_lines(markdown: str) -> list[str]:
    """Render Markdown as lines of text without its tables."""
    lines: list[str] = []
    for block in blocks(markdown):
        if block.kind not in ("table", "rule"):
            lines.extend(line for line in block.text.split("\n") if line.strip())
    return lines


def markdown_tables(markdown: str) -> list[Table]:
    """Read the pipe tables of Markdown, each named by the heading above it."""
    tables: list[Table] = []
    heading = ""
    for block in blocks(markdown):
        if block.kind == "heading":
            heading = block.text
        elif block.kind == "table" and block.rows:
            names = [plain_runs(cell) for cell in block.rows[0]]
            columns = tuple(Column(name=name, type="auto") for name in names)
            rows = tuple(tuple(plain_runs(cell) for cell in row) for row in block.rows[1:])
            tables.append(Table(name=heading or f"Table {len(tables) + 1}", columns=columns, rows=rows))
    return tables
