"""Simple slide decks: one slide per heading, with its text as lines and its tables as tables."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from typing import Any

from tasks.release.build.markdown import Block, blocks, plain_runs
from tasks.release.tables import Table, cell_text

_LINES_A_SLIDE = 12  # that fit below the title in the size of the template
_ROWS_A_SLIDE = 14  # of a table that fit below the title, without its header
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_STAMP = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*(<)")


def pptx_bytes(markdown: str, tables: Sequence[Table]) -> bytes:
    """Return a deck: the Markdown, one slide per heading, then the tables. Long slides go on in the next."""
    from pptx import Presentation

    deck = Presentation()
    title, lines = "", list[str]()
    for block in blocks(markdown):
        if block.kind == "heading":
            _flush(deck, title, lines)
            title, lines = block.text, []
        elif block.kind == "table":
            _flush(deck, title, lines)
            lines = []
            _table_slides(deck, title, [[plain_runs(c) for c in row] for row in block.rows])
        elif block.kind != "rule":
            lines.append(_line(block))
    _flush(deck, title, lines, last=not len(deck.slides))
    for table in tables:
        header = [c.name for c in table.columns]
        _table_slides(deck, table.name, [header, *[[cell_text(c) for c in row] for row in table.rows]])
    buffer = io.BytesIO()
    deck.save(buffer)
    return _stable(buffer.getvalue())


def _line(block: Block) -> str:
    return "    " * block.depth + block.text if block.kind == "item" else block.text


def _flush(deck: Any, title: str, lines: Sequence[str], last: bool = False) -> None:
    if not (lines or last or (title and not any(_title(s) == title for s in deck.slides))):
        return
    for start in range(0, max(len(lines), 1), _LINES_A_SLIDE):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = _ILLEGAL.sub("", title) + (" (continued)" if start else "")
        slide.placeholders[1].text_frame.text = _ILLEGAL.sub("", "\n".join(lines[start : start + _LINES_A_SLIDE]))


def _title(slide: Any) -> str:
    return slide.shapes.title.text if slide.shapes.title is not None else ""


def _table_slides(deck: Any, title: str, rows: Sequence[Sequence[str]]) -> None:
    from pptx.util import Inches, Pt

    header, body = list(rows[0]) if rows else [], rows[1:]
    for start in range(0, max(len(body), 1), _ROWS_A_SLIDE):
        part = [header, *body[start : start + _ROWS_A_SLIDE]]
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = _ILLEGAL.sub("", title) + (" (continued)" if start else "")
        if not header:
            continue
        frame = slide.shapes.add_table(len(part), len(header), Inches(0.4), Inches(1.4), Inches(9.2), Inches(0.3))
        for r, row in enumerate(part):
            for c in range(len(header)):
                cell = frame.table.cell(r, c)
                cell.text = _ILLEGAL.sub("", row[c] if c < len(row) else "")
                for paragraph in cell.text_frame.paragraphs:
                    paragraph.font.size = Pt(11)


def _stable(data: bytes) -> bytes:
    """Rewrite the package with fixed times, so that the same deck has the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            part = source.read(name)
            if name == "docProps/core.xml":
                part = _STAMP.sub(rb"\g<1>2000-01-01T00:00:00Z\g<2>", part)
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(info, part)
    return out.getvalue()
