"""Rich text (.rtf): the words a reader sees, tracked deletions out, notes after their paragraph."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tasks.sources.builder import LABEL, LONGEST_HEADING, Reading, TextBuilder
from tasks.sources.limits import UnreadableError
from tasks.sources.readers import Source
from tasks.sources.records import SegmentKind

_TOKEN = re.compile(
    rb"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<hex>[0-9a-fA-F]{2})|\\(?P<sign>[^a-zA-Z])"
    rb"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)|[\r\n]+|\\"
)
_SKIPPED = frozenset(
    re.findall(
        r"\w+",
        "fonttbl colortbl stylesheet info pict object themedata colorschememapping datastore latentstyles listtable"
        " listoverridetable rsidtbl generator fldinst xmlnstbl filetbl revtbl pgptbl mmathPr private nonshppict"
        " bkmkstart bkmkend atnid atnauthor atrfstart atrfend atndate",
    )
)
_APART = {
    "header": SegmentKind.HEADER, "headerl": SegmentKind.HEADER, "headerr": SegmentKind.HEADER,
    "headerf": SegmentKind.HEADER, "footer": SegmentKind.FOOTER, "footerl": SegmentKind.FOOTER,
    "footerr": SegmentKind.FOOTER, "footerf": SegmentKind.FOOTER, "footnote": SegmentKind.FOOTNOTE,
    "annotation": SegmentKind.COMMENT,
}  # fmt: skip
_WORDS = {
    "tab": " ", "line": "\n", "emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’",
    "ldblquote": "“", "rdblquote": "”", "emspace": " ", "enspace": " ",
}  # fmt: skip
_SIGNS = {b"~": " ", b"_": "-", b"\\": "\\", b"{": "{", b"}": "}", b"-": ""}
_DEPTH = 500  # open braces; hostile files nest deeper
_BODY_TEXT = 9  # the outline level of running text; 0 to 8 are headings
_MOST_SKIPPED = 8  # bytes that stand for a sign in old programs: one or two, a hostile file may name more


@dataclass
class _Group:
    """The state inside a pair of braces."""

    skipped: bool = False
    deleted: bool = False
    unicode_skip: int = 1
    apart: SegmentKind | None = None


@dataclass
class _Page:
    """The place where words are written: the running text, or a separate note."""

    out: TextBuilder
    codepage: str = "cp1252"
    words: list[str] = field(default_factory=list)
    raw: bytearray = field(default_factory=bytearray)
    apart: list[str] = field(default_factory=list)
    notes: list[tuple[SegmentKind, str]] = field(default_factory=list)
    margins: list[tuple[SegmentKind, str]] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    rows: int = 0
    table: int = 0
    in_table: bool = False
    level: int = 0

    def say(self, text: str, group: _Group) -> None:
        """Add words to the text that the current group belongs to."""
        if not group.skipped and not group.deleted:
            (self.words if group.apart is None else self.apart).append(text)

    def flush(self, group: _Group) -> None:
        """Decode the bytes collected so far; a character may take two."""
        if self.raw:
            self.say(bytes(self.raw).decode(self.codepage, "replace"), group)
            self.raw.clear()

    def paragraph(self) -> None:
        """End a paragraph of the running text."""
        text, self.words = "".join(self.words), []
        if text.strip():
            self._end_table()
            kind = SegmentKind.HEADING if self.level and len(text) < LONGEST_HEADING else SegmentKind.PARAGRAPH
            label = " ".join(text.split())[:LABEL] if kind is SegmentKind.HEADING else ""
            self.out.block(text, kind, label, level=self.level if label else 0)
        for note in self.notes:
            self.out.block(f"[{note[0].value.capitalize()}: {note[1]}]", note[0], note[0].value)
        self.notes = []

    def cell(self) -> None:
        """End a cell of a table."""
        self.cells.append(" ".join("".join(self.words).split()))
        self.words = []

    def row(self) -> None:
        """End a row of a table."""
        line = " | ".join(self.cells)
        self.cells = []
        if line.strip(" |"):
            if not self.rows:
                self.out.gap()
                self.table = self.out.offset
            self.rows += 1
            self.out.block(line, SegmentKind.ROW, f"row {self.rows}", gap=1)

    def _end_table(self) -> None:
        if self.rows:
            self.out.mark(SegmentKind.TABLE, "table", self.table, self.out.offset)
            self.rows = 0

    def put_apart(self, kind: SegmentKind) -> None:
        """End a note or a margin."""
        text, self.apart = " ".join("".join(self.apart).split()), []
        if text:
            (self.margins if kind in {SegmentKind.HEADER, SegmentKind.FOOTER} else self.notes).append((kind, text))

    def end(self) -> Reading:
        """Write what is left."""
        if self.cells:
            self.row()
        self.paragraph()
        self._end_table()
        for kind, text in dict.fromkeys(self.margins):
            self.out.block(f"[{kind.value.capitalize()}: {text}]", kind, kind.value)
        self.out.pages()
        return self.out.build()


def read(source: Source) -> Reading:
    """Read rich text."""
    data = source.data
    page = _Page(TextBuilder())
    groups = [_Group()]
    at = skip = 0
    starred = False
    while at < len(data) and not page.out.cut:
        token = _TOKEN.match(data, at)
        if token is None:
            break
        at = token.end()
        group = groups[-1]
        kind = token.lastgroup
        if kind == "hex":
            if skip:
                skip -= 1
            else:
                page.raw.append(int(token["hex"], 16))
            continue
        if kind == "text":
            if not group.skipped:  # pictures are megabytes of it
                page.raw += token["text"][skip:]
            skip = max(0, skip - len(token["text"]))
            continue
        page.flush(group)
        if kind == "brace":
            starred, skip = False, 0
            if token["brace"] == b"{":
                if len(groups) > _DEPTH:
                    raise UnreadableError("The rich text is nested too deeply.", "Save it as .docx and run again.")
                groups.append(_Group(group.skipped, group.deleted, group.unicode_skip, group.apart))
            elif len(groups) > 1:
                groups.pop()
                if group.apart is not None and groups[-1].apart is None:
                    page.put_apart(group.apart)
        elif kind == "sign":
            starred = token["sign"] == b"*"
            if token["sign"] in b"\r\n":
                page.paragraph()
            page.say(_SIGNS.get(token["sign"], ""), group)
        elif kind in {"word", "number"}:
            word = token["word"].decode("ascii")
            number = int(token["number"]) if token["number"] else None
            if word == "bin":
                at += max(0, number or 0)
            elif word == "u":
                page.say(chr((number or 0) % 65536), group)
                skip = group.unicode_skip
            else:
                _control(page, group, word, number, starred)
            starred = False
    page.flush(groups[-1])
    return page.end()


def _control(page: _Page, group: _Group, word: str, number: int | None, starred: bool) -> None:
    """Apply a control word."""
    if word in _SKIPPED or (starred and word not in _APART):
        group.skipped = True
    elif word in _APART:
        group.apart = None if group.skipped else _APART[word]
    elif word in _WORDS:
        page.say(_WORDS[word], group)
    elif word in {"par", "page", "sect", "cell", "row", "nestcell", "nestrow"}:
        _break(page, group, word)
    elif word == "pard":
        page.in_table, page.level = False, 0
    elif word == "intbl":
        page.in_table = True
    elif word == "outlinelevel":
        page.level = number + 1 if number is not None and 0 <= number < _BODY_TEXT else 0
    elif word in {"deleted", "plain"}:
        group.deleted = word == "deleted" and number != 0
    elif word == "uc":
        group.unicode_skip = max(0, min(number or 0, _MOST_SKIPPED))
    elif word == "ansicpg" and number:
        page.codepage = _known(f"cp{number}")


def _break(page: _Page, group: _Group, word: str) -> None:
    if group.skipped:
        return
    if group.apart is not None or word == "nestrow":
        page.say(" ", group)
    elif word in {"cell", "nestcell"}:
        page.cell()
    elif word == "row":
        page.row()
    elif page.in_table and word == "par":
        page.say(" ", group)
    else:
        page.paragraph()
        if word == "page":
            page.out.write("\f")


def _known(codepage: str) -> str:
    try:
        "".encode(codepage)
    except LookupError:
        return "cp1252"
    return codepage
