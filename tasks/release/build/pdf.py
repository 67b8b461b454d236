"""PDF documents: headings, lists and tables as the Word writer sets them, with page numbers; the same bytes twice.

The font is embedded (Bitstream Vera, free to distribute, which comes with reportlab). A character that it has no sign
for is printed as an empty box and stays in the text: a reader, ours too, copies it out as it was written.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from tasks.release.build.markdown import Block, Run, blocks, plain_runs
from tasks.release.tables import Table, cell_text, column_weight, with_currency_columns

if TYPE_CHECKING:
    from reportlab.lib.styles import ParagraphStyle

_ILLEGAL = re.compile("[\x00-\x08\x0b-\x1f\x7f\u00ad\ufffe\uffff\ud800-\udfff]")
_MARGIN, _WIDTH, _HEIGHT = 57.0, 595.276, 841.89  # points; an A4 page
_TEXT_WIDTH = _WIDTH - 2 * _MARGIN
_SIZES = (16.0, 13.5, 12.0, 11.0, 10.5, 10.5)  # of headings by level
_IN_TABLE, _WIDE, _IN_WIDE_TABLE = 8.5, 6, 7.0  # points in a table, and in one of more than six columns; chosen by eye
_INDENT = 18.0  # points: a quarter of an inch
_LEADING = 1.25  # times the size of the type, from line to line
_BULLET = 0.85  # of the indent, by which a bullet hangs before its text
_ROOM = {"LEFT": 4, "RIGHT": 4, "TOP": 7, "BOTTOM": 8}  # in a cell: rows and paragraphs that stand apart are read apart
_FONTS = {"Vera": "Vera", "Vera-Bold": "VeraBd", "Vera-Italic": "VeraIt", "Vera-BoldItalic": "VeraBI"}


def pdf_bytes(markdown: str, tables: Sequence[Table]) -> bytes:
    """Render Markdown, then the tables, as a PDF."""
    from reportlab.platypus import Spacer

    _register()
    parsed = blocks(markdown)
    story: list[Any] = list(_story(parsed))
    for table in tables:
        story.extend(_typed_table(with_currency_columns(table)))
    buffer = io.BytesIO()
    title = next((block.text for block in parsed if block.kind == "heading"), "")
    document = _template()(
        buffer,
        pagesize=(_WIDTH, _HEIGHT),
        leftMargin=_MARGIN,
        rightMargin=_MARGIN,
        topMargin=_MARGIN,
        bottomMargin=_MARGIN,
        title=_ILLEGAL.sub("", title)[:200],
        author="Solon",
        invariant=1,
        lang="en",
    )
    with _boxes_for(without_sign(f"{markdown}{tables!r}")):
        document.build(story or [Spacer(1, 1)], canvasmaker=_numbered())
    return buffer.getvalue()


def without_sign(text: str) -> str:
    """Return the characters of a text that the font prints as an empty box, each once."""
    from reportlab.pdfbase import pdfmetrics

    _register()
    known = pdfmetrics.getFont("Vera").face.charToGlyph
    return "".join(dict.fromkeys(c for c in _plain(text) if ord(c) not in known and not c.isspace()))


def _register() -> None:
    import reportlab
    from reportlab.pdfbase import pdfmetrics, ttfonts
    from reportlab.pdfbase.ttfonts import TTFont

    if "Vera" in pdfmetrics.getRegisteredFontNames():
        return
    folder = Path(reportlab.__file__).parent / "fonts"
    for name, file in _FONTS.items():
        pdfmetrics.registerFont(TTFont(name, str(folder / f"{file}.ttf")))
    pdfmetrics.registerFontFamily("Vera", *_FONTS)
    ttfonts.makeToUnicodeCMap = _to_unicode  # reportlab's own writes five digits beyond U+FFFF, which nobody reads


@contextmanager
def _boxes_for(characters: str) -> Iterator[None]:
    """Print characters that the fonts lack as boxes; without a sign they would vanish from the text, too."""
    from reportlab.pdfbase import pdfmetrics

    faces = [pdfmetrics.getFont(name).face for name in _FONTS]
    added = [(face, ord(c)) for face in faces for c in characters if ord(c) not in face.charToGlyph]
    for face, code in added:
        face.charToGlyph[code] = 0
    try:
        yield
    finally:
        for face, code in added:
            del face.charToGlyph[code]


def _to_unicode(font: str, subset: Sequence[int]) -> str:
    """Map the codes of a font to the characters that they stand for, those beyond U+FFFF as surrogate pairs."""
    pairs = [f"<{code:02X}> <{chr(c).encode('utf-16-be').hex().upper()}>" for code, c in enumerate(subset)]
    return "\n".join(
        [
            "/CIDInit /ProcSet findresource begin",
            "12 dict begin",
            "begincmap",
            f"/CIDSystemInfo << /Registry ({font}) /Ordering ({font}) /Supplement 0 >> def",
            f"/CMapName /{font} def",
            "/CMapType 2 def",
            "1 begincodespacerange",
            f"<00> <{len(subset) - 1:02X}>",
            "endcodespacerange",
            f"{len(pairs)} beginbfchar",
            *pairs,
            "endbfchar",
            "endcmap",
            "CMapName currentdict /CMap defineresource pop",
            "end",
            "end",
        ]
    )


def _template() -> Any:
    """Return a document whose headings are in its outline, where readers look for them."""
    from reportlab.platypus import SimpleDocTemplate

    class Outlined(SimpleDocTemplate):  # type: ignore[misc]
        depth, entries = -1, 0

        def afterFlowable(self, flowable: Any) -> None:
            heading = getattr(flowable, "heading", None)
            if heading:
                level, title = heading
                self.depth = min(level - 1, self.depth + 1)  # an outline skips no level
                self.entries += 1
                self.canv.bookmarkPage(f"h{self.entries}")
                self.canv.addOutlineEntry(title, f"h{self.entries}", self.depth)

    return Outlined


def _heading(runs: Sequence[Run], level: int) -> Any:
    size = _SIZES[min(level, len(_SIZES)) - 1]
    flowable = _paragraph(runs, _style(size, fontName="Vera-Bold", spaceBefore=8.0, keepWithNext=1))
    flowable.heading = (level, " ".join(_plain(plain_runs(runs)).split()))
    return flowable


def _numbered() -> type:
    """Return a canvas that writes the page number last, so that it is read last."""
    from reportlab.pdfgen.canvas import Canvas

    class Numbered(Canvas):  # type: ignore[misc]
        def showPage(self) -> None:
            self.setFont("Vera", 8)
            self.drawCentredString(_WIDTH / 2, _MARGIN / 2, f"Page {self.getPageNumber()}")
            super().showPage()

    return Numbered


def _style(size: float = 10.0, **other: Any) -> ParagraphStyle:
    from reportlab.lib.styles import ParagraphStyle

    given = {"fontName": "Vera", "fontSize": size, "leading": size * _LEADING, "spaceAfter": 8.0, **other}
    return ParagraphStyle("solon", **given)


def _paragraph(runs: Sequence[Run], style: ParagraphStyle, bullet: str = "") -> Any:
    from reportlab.platypus import Paragraph

    return Paragraph("".join(map(_markup, runs)) or "\u00a0", style, bulletText=bullet or None)


def _markup(run: Run) -> str:
    if run.line_break:
        return "<br/>"
    text = escape(_plain(run.text)).replace("\n", "<br/>").replace("\t", "\u00a0\u00a0\u00a0\u00a0")
    for tag, wanted in (("b", run.bold), ("i", run.italic), ("strike", run.strike)):
        text = f"<{tag}>{text}</{tag}>" if wanted else text
    return text


def _plain(text: str) -> str:
    """Return the text with non-breaking spaces and hyphens replaced by the plain ones that the font has."""
    return _ILLEGAL.sub("", text).replace("\u2011", "-").replace("\u202f", "\u00a0")


def _story(parsed: Sequence[Block]) -> Iterator[Any]:
    from reportlab.platypus import HRFlowable, Spacer

    numbers: dict[int, int] = {}
    for block in parsed:
        if block.kind == "table":
            yield from _table(block.rows)
        elif block.kind == "rule":
            yield HRFlowable(width="100%", spaceBefore=4, spaceAfter=6, color="black", thickness=0.5)
        elif block.kind == "heading":
            yield _heading(block.runs, block.level)
        elif block.kind == "code":
            style = _style(9.0, leftIndent=_INDENT, spaceAfter=0.0)
            yield from (_paragraph((Run(_indented(line)),), style) for line in block.text.split("\n"))
            yield Spacer(1, 10)
        elif block.kind == "item":
            yield _item(block, numbers)
        else:
            yield _paragraph(block.runs, _style(leftIndent=_INDENT if block.quoted else 0.0))


def _indented(line: str) -> str:
    """Keep the indent of a line of code, which a paragraph would drop."""
    bare = line.lstrip(" ")
    return "\u00a0" * (len(line) - len(bare)) + bare


def _item(block: Block, numbers: dict[int, int]) -> Any:
    indent = _INDENT * (block.depth + 1)
    style = _style(leftIndent=indent, bulletIndent=indent - _BULLET * _INDENT, bulletFontName="Vera", bulletFontSize=10)
    if block.continued:
        return _paragraph(block.runs, style)
    if not block.list_id:
        return _paragraph(block.runs, style, "•")
    numbers[block.list_id] = numbers.get(block.list_id, block.start - 1) + 1
    return _paragraph(block.runs, style, f"{numbers[block.list_id]}.")


def _typed_table(table: Table) -> Iterator[Any]:
    if table.name:
        yield _heading((Run(table.name),), 2)
    width = len(table.columns)
    body = [tuple((Run(cell_text(r[c]) if c < len(r) else ""),) for c in range(width)) for r in table.rows]
    yield from _table((tuple((Run(c.name),) for c in table.columns), *body))


def _table(rows: Sequence[Sequence[Sequence[Run]]]) -> Iterator[Any]:
    from reportlab.platypus import Spacer
    from reportlab.platypus import Table as Grid

    width = max(map(len, rows), default=0)
    if not width:
        return
    texts = [[plain_runs(row[c]) if c < len(row) else "" for row in rows] for c in range(width)]
    weights = [column_weight(cells) for cells in texts]
    size = _IN_TABLE if width <= _WIDE else _IN_WIDE_TABLE
    cell, head = _style(size, spaceAfter=0.0), _style(size, spaceAfter=0.0, fontName="Vera-Bold")
    grid = Grid(
        [[_paragraph(row[c] if c < len(row) else (), cell if n else head) for c in range(width)]
         for n, row in enumerate(rows)],
        colWidths=[_TEXT_WIDTH * weight / sum(weights) for weight in weights],
        repeatRows=1,
        splitInRow=1,
        style=[("GRID", (0, 0), (-1, -1), 0.4, "grey"), ("VALIGN", (0, 0), (-1, -1), "TOP"),
               *((f"{side}PADDING", (0, 0), (-1, -1), room) for side, room in _ROOM.items())],
    )  # fmt: skip
    yield from (Spacer(1, 12), grid, Spacer(1, 12))
