"""Presentations: slides in order with their titles, tables, groups, charts, notes and comments."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator
from typing import Any

from tasks.matter.failures import FailureCause
from tasks.sources.builder import Reading, TextBuilder
from tasks.sources.limits import GuardedZip, UnreadableError
from tasks.sources.markup import XMLSyntaxError, attribute, child, parse_xml
from tasks.sources.readers import Source
from tasks.sources.records import SegmentKind

_DEPTH = 20  # groups within groups; hostile files nest deeper


def read(source: Source) -> Reading:
    """Read a presentation."""
    import pptx

    GuardedZip(source.data, source.limits).total_within_budget()
    out = TextBuilder()
    try:
        deck = pptx.Presentation(io.BytesIO(source.data))
        slides = list(deck.slides)
    except (KeyError, ValueError, AttributeError, XMLSyntaxError, pptx.exc.PythonPptxError) as error:
        raise UnreadableError(f"The presentation is damaged ({error}).", "Open and save it in PowerPoint.") from error
    authors = _authors(deck)
    for number, slide in enumerate(slides, start=1):
        out.gap()
        with out.segment(SegmentKind.SLIDE, f"slide {number}"):
            _slide(out, number, slide)
            _write_separate_parts(out, number, slide, authors)
    return out.build()


def _slide(out: TextBuilder, number: int, slide: Any) -> None:
    title = slide.shapes.title
    name = _flat(title.text_frame.text) if title is not None and title.has_text_frame else ""
    hidden = " (hidden)" if slide._element.get("show") == "0" else ""
    out.block(f"Slide {number}{hidden}: {name}".rstrip(": "), SegmentKind.HEADING, name or f"slide {number}")
    for shape in _shapes(slide.shapes):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        try:
            _shape(out, shape)
        except (KeyError, ValueError, AttributeError, NotImplementedError) as error:
            out.fail(FailureCause.READER, f"A shape of slide {number} was not read ({error}).", "Export as PDF.")
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        notes = slide.notes_slide.notes_text_frame.text
        if notes.strip():
            out.block(f"[Notes: {notes.strip()}]", SegmentKind.NOTES, f"slide {number}, notes")


def _write_separate_parts(out: TextBuilder, number: int, slide: Any, authors: dict[str, str]) -> None:
    """Write what a slide stores in separate parts: the words of diagrams, and comments with their replies."""
    for relation in slide.part.rels.values():
        kind = relation.reltype.rpartition("/")[2]
        if relation.is_external or kind not in {"comments", "diagramData"}:
            continue
        try:
            root, repaired = parse_xml(relation.target_part.blob, str(relation.target_part.partname))
        except UnreadableError as error:
            out.fail(FailureCause.INPUT, f"A {kind} part of slide {number} was not read ({error}).", "Export as PDF.")
            continue
        if repaired:
            message = f"A {kind} part of slide {number} is malformed; words near the damage may be missing."
            out.fail(FailureCause.INPUT, message, "Open and save it in PowerPoint.")
        if kind == "diagramData":
            words = [_paragraph(p) for p in root.iter("{*}p")]
            if any(words):
                out.block("[Diagram: " + " | ".join(filter(None, words)) + "]", label="diagram")
            continue
        for comment in root.iter("{*}cm", "{*}reply"):
            text = _comment(comment)
            author = authors.get(attribute(comment, "authorId") or "", "")
            said = f"Comment by {author}" if author else "Comment"
            if text:
                out.block(f"[{said}: {text}]", SegmentKind.COMMENT, f"slide {number}, {said[0].lower()}{said[1:]}")


def _comment(comment: Any) -> str:
    """Return a comment's own words: of the old kind in one element, of the new kind in paragraphs."""
    old = child(comment, "text")
    body = child(comment, "txBody")
    if body is not None:
        return _flat(" ".join(_paragraph(p) for p in body.iter("{*}p")))
    return _flat(old.text or "") if old is not None else ""


def _paragraph(element: Any) -> str:
    return _flat("".join(t.text or "" for t in element.iter("{*}t")))


def _authors(deck: Any) -> dict[str, str]:
    """Return the names of those who comment, by their ids."""
    names: dict[str, str] = {}
    for relation in deck.part.rels.values():
        if not relation.is_external and relation.reltype.rpartition("/")[2] in {"commentAuthors", "authors"}:
            with contextlib.suppress(UnreadableError):
                root, _ = parse_xml(relation.target_part.blob, str(relation.target_part.partname))
                names.update({attribute(a, "id") or "": _flat(attribute(a, "name") or "") for a in root})
    return names


def _shapes(shapes: Any, depth: int = 0) -> Iterator[Any]:
    """Yield shapes in reading order, groups opened."""
    for shape in shapes:
        if hasattr(shape, "shapes") and depth < _DEPTH:
            yield from _shapes(shape.shapes, depth + 1)
        else:
            yield shape


def _shape(out: TextBuilder, shape: Any) -> None:
    if getattr(shape, "has_table", False):
        out.gap()
        start = out.offset
        for number, row in enumerate(shape.table.rows, start=1):
            line = " | ".join(_flat(cell.text) for cell in row.cells)
            if line.strip(" |"):
                out.block(line, SegmentKind.ROW, f"row {number}", gap=1)
        out.mark(SegmentKind.TABLE, shape.name, start, out.offset)
    elif getattr(shape, "has_chart", False):
        _chart(out, shape.chart)
    elif shape.has_text_frame:
        for paragraph in shape.text_frame.paragraphs:
            text = "".join(run.text for run in paragraph.runs) or paragraph.text
            out.block(text, gap=1)
        out.gap()
    elif shape._element.xpath(".//*[local-name()='t']"):  # SmartArt fallbacks and other graphic frames
        words = [e.text or "" for e in shape._element.xpath(".//*[local-name()='t']")]
        out.block(" | ".join(filter(None, map(_flat, words))))


def _chart(out: TextBuilder, chart: Any) -> None:
    title = _flat(chart.chart_title.text_frame.text) if chart.has_title and chart.chart_title.has_text_frame else ""
    out.gap()
    start = out.offset
    out.block(f"[Chart: {title}]" if title else "[Chart]", gap=1)
    for plot in chart.plots:
        names = [str(c) for c in plot.categories]
        for series in plot.series:
            pairs = zip(names or [str(i) for i in range(1, len(series.values) + 1)], series.values, strict=False)
            out.block(f"{series.name} | " + " | ".join(f"{n}: {v:g}" for n, v in pairs if v is not None), gap=1)
    out.mark(SegmentKind.TABLE, title or "chart", start, out.offset)


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\v", " ")).strip()
