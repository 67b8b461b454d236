"""OpenDocument text (.odt): paragraphs, headings, lists, tables, notes, comments, and headers and footers.

Tracked deletions are out, insertions in. Numbers that the program computes are not stored and not shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tasks.matter.failures import FailureCause
from tasks.sources.builder import LABEL, Reading, TextBuilder
from tasks.sources.limits import GuardedZip, UnreadableError
from tasks.sources.markup import Element, attribute, local, parse_xml
from tasks.sources.readers import Source
from tasks.sources.records import SegmentKind

_SKIPPED = {
    "tracked-changes",
    "sequence-decls",
    "variable-decls",
    "user-field-decls",
    "forms",
    "note-citation",
    "desc",
    "title",
}
_DEPTH = 80  # below Python's limit of recursion; hostile files nest deeper
_BLANKS = 100  # of one ``text:s``; a hostile file may name any number


def read(source: Source) -> Reading:
    """Read an OpenDocument text."""
    archive = GuardedZip(source.data, source.limits)
    out = TextBuilder()
    body = next(_part(archive, "content.xml", out).iter("{*}text"), None)
    if body is None:
        raise UnreadableError("The OpenDocument file holds no text.", "Open and save it in its own program.")
    _Walk(out).blocks(body, 0)
    if archive.has("styles.xml"):
        styles = _part(archive, "styles.xml", out)
        for tag, kind in (("header", SegmentKind.HEADER), ("footer", SegmentKind.FOOTER)):
            margins = (
                " ".join(filter(None, map(flat, margin.iter("{*}p", "{*}h")))) for margin in styles.iter(f"{{*}}{tag}")
            )
            for text in dict.fromkeys(filter(None, margins)):
                out.block(f"[{kind.value.capitalize()}: {text}]", kind, kind.value)
    return out.build()


def _part(archive: GuardedZip, name: str, out: TextBuilder) -> Element:
    if not archive.has(name):
        raise UnreadableError(f"The OpenDocument file lacks its {name}.", "Open and save it in its own program.")
    root, repaired = parse_xml(archive.read(name), name)
    if repaired:
        message = f"The part {name} is malformed XML; it was repaired and words near the damage may be missing."
        out.fail(FailureCause.INPUT, message, "Open and save the document in its own program and compare.")
    return root


def flat(paragraph: Element) -> str:
    """Return a paragraph's words on one line."""
    inline = _Inline()
    inline.walk(paragraph, 0)
    return re.sub(r"\s+", " ", "".join(inline.parts)).strip()


@dataclass
class _Inline:
    """The words of a paragraph, with its notes and comments."""

    parts: list[str] = field(default_factory=list)
    notes: list[tuple[SegmentKind, str, Element]] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)

    def walk(self, element: Element, depth: int) -> None:
        self._say(element.text)
        for inner in element if depth < _DEPTH else ():
            self._one(inner, depth)
            self._say(inner.tail)

    def _say(self, text: str | None) -> None:
        if text:
            self.parts.append(re.sub(r"[ \t\r\n]+", " ", text))

    def _one(self, element: Element, depth: int) -> None:
        match local(element):
            case "s":
                count = attribute(element, "c") or "1"
                self.parts.append(" " * min(int(count) if count.isdigit() else 1, _BLANKS))
            case "tab":
                self.parts.append(" ")
            case "line-break":
                self.parts.append("\n")
            case "note":
                self.notes.append((SegmentKind.FOOTNOTE, attribute(element, "note-class") or "footnote", element))
            case "annotation":
                self.notes.append((SegmentKind.COMMENT, "comment", element))
            case "text-box":
                self.boxes.append(element)
            case name if name and name not in _SKIPPED:
                self.walk(element, depth + 1)


class _Walk:
    """Writes blocks in reading order."""

    def __init__(self, out: TextBuilder) -> None:
        self.out = out
        self.tables = 0

    def blocks(self, parent: Element, depth: int) -> None:
        """Write the content of an element."""
        if depth > _DEPTH:
            self.out.fail(FailureCause.CAPACITY, "Content nested too deeply was left out.", "Save a simpler copy.")
            return
        for element in parent:
            if self.out.cut:
                return
            match local(element):
                case "h":
                    level = attribute(element, "outline-level") or "1"
                    self.paragraph(element, int(level) if level.isdigit() else 1)
                case "p":
                    self.paragraph(element)
                case "table":
                    self.table(element)
                case name if name and name not in _SKIPPED:
                    self.blocks(element, depth + 1)

    def paragraph(self, element: Element, level: int = 0) -> None:
        """Write a paragraph, then its notes and comments."""
        inline = _Inline()
        inline.walk(element, 0)
        text = "".join(inline.parts)
        label = re.sub(r"\s+", " ", text).strip()[:LABEL] if level else ""
        self.out.block(text, SegmentKind.HEADING if level else SegmentKind.PARAGRAPH, label, level=level)
        self._beside(inline)

    def _beside(self, inline: _Inline) -> None:
        for kind, name, note in inline.notes:
            author = (
                next((e.text for e in note.iter("{*}creator") if e.text), "") if kind is SegmentKind.COMMENT else ""
            )
            said = " ".join(filter(None, map(flat, note.iter("{*}p"))))
            if said:
                who = f"{name.capitalize()} by {author}" if author else name.capitalize()
                self.out.block(f"[{who}: {said}]", kind, who[0].lower() + who[1:])
        for box in inline.boxes:
            self.blocks(box, 1)

    def table(self, element: Element) -> None:
        """Write a table, one line per row."""
        self.tables += 1
        self.out.gap()
        start = self.out.offset
        for number, row in enumerate(element.iter("{*}table-row"), start=1):
            cells = [c for c in row if local(c) in {"table-cell", "covered-table-cell"}]
            words = [" ".join(filter(None, map(flat, c.iter("{*}p", "{*}h")))) for c in cells]
            if any(words):
                self.out.block(" | ".join(words), SegmentKind.ROW, f"table {self.tables}, row {number}", gap=1)
        self.out.mark(SegmentKind.TABLE, f"table {self.tables}", start, self.out.offset)
