"""Word documents, walked part by part so that nothing printed is lost.

Tracked insertions count as text and deletions do not (the document as if all changes were accepted), unless
redlines are asked for: then both stand between marks.
Automatic numbering is computed and written before its paragraph. Footnotes, endnotes, comments and text
boxes stand in lines of their own after the paragraph they belong to, so that a sentence stays verbatim.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tasks.matter.failures import FailureCause
from tasks.sources.builder import LABEL, LONGEST_HEADING, Reading, TextBuilder, clean
from tasks.sources.limits import GuardedZip, UnreadableError
from tasks.sources.markup import Element, attribute, child, local, parse_xml
from tasks.sources.readers import Source
from tasks.sources.readers.docx.inline import Inline
from tasks.sources.readers.docx.numbering import Numbering, load_numbering
from tasks.sources.readers.docx.styles import BODY_TEXT, Styles, styles_of
from tasks.sources.records import SegmentKind

_WRAPPERS = {"sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag", "txbxContent", "AlternateContent", "Choice"}
_MARK = re.compile(r"\[/?(?:ins|del)\]")
_DELETED = re.compile(r"\[del\][^\[]*\[/del\]")
_DEPTH = 60  # below Python's limit of recursion; hostile files nest deeper
_WIDE_CELL = 400  # characters from which a table cell is layout rather than a value


@dataclass
class _Package:
    """The parts of the document."""

    archive: GuardedZip
    out: TextBuilder
    folder: str = "word"
    repaired: set[str] = field(default_factory=set)
    refusal: UnreadableError | None = None  # why the last unreadable part could not be read

    def part(self, name: str) -> Element | None:
        """Parse a part; None where it is absent or beyond repair."""
        path = name if "/" in name else f"{self.folder}/{name}"
        if not self.archive.has(path):
            return None
        try:
            data = self.archive.read(path)
            most = self.archive.limits.markup_bytes
            root, repaired = parse_xml(data[:most], path)
        except UnreadableError as error:
            self.out.fail(FailureCause.INPUT, str(error), error.remedy)
            self.refusal = error
            return None
        if len(data) > most:
            message = f"Only the first {most} of {len(data)} bytes of the part {path} were read."
            self.out.fail(FailureCause.CAPACITY, message, "Split the document.")
        elif repaired:
            self._mended(path)
        return root

    def styles(self) -> Styles:
        """Return the styles; none where their part is absent or beyond repair."""
        path = f"{self.folder}/styles.xml"
        if not self.archive.has(path):
            return Styles()
        try:
            styles = styles_of(self.archive.read(path), path)
        except UnreadableError as error:
            self.out.fail(FailureCause.INPUT, str(error), error.remedy)
            return Styles()
        if styles.repaired:
            self._mended(path)
        return styles

    def _mended(self, path: str) -> None:
        if path not in self.repaired:
            self.repaired.add(path)
            self.out.fail(
                FailureCause.INPUT,
                f"The part {path} is malformed XML; it was repaired and words near the damage may be missing.",
                "Open the document in Word, save it and compare.",
            )

    def main_part(self) -> Element:
        """Return the main document, wherever it lies in the package."""
        path = "word/document.xml"
        relations = self.part("_rels/.rels") if self.archive.has("_rels/.rels") else None
        for relation in () if relations is None else relations:
            if (attribute(relation, "Type") or "").endswith("/officeDocument"):
                path = (attribute(relation, "Target") or path).lstrip("/")
        if not self.archive.has(path):
            path = next((n for n in self.archive.names() if re.search(r"(^|/)document\d*\.xml$", n)), path)
        self.folder = posixpath.dirname(path)
        root = self.part(path)
        if root is None:
            missing = ("The Word document has no readable main part.", "Open the document in Word and save it again.")
            raise UnreadableError(*(missing if self.refusal is None else (str(self.refusal), self.refusal.remedy)))
        return root

    def named(self, pattern: str) -> list[str]:
        """Return the names of parts beside the main part that match, in order of their numbers."""
        found = [n for n in self.archive.names() if re.fullmatch(rf"{re.escape(self.folder)}/{pattern}", n)]
        return sorted(found, key=lambda n: (len(n), n))


def read(source: Source) -> Reading:
    """Read a Word document."""
    out = TextBuilder()
    package = _Package(GuardedZip(source.data, source.limits), out)
    main = package.main_part()
    styles = package.styles()
    walker = _Walker(out, load_numbering(package.part("numbering.xml"), styles), styles.headings, source.redlines)
    for kind, name, tag in (
        (SegmentKind.FOOTNOTE, "footnotes.xml", "footnote"),
        (SegmentKind.FOOTNOTE, "endnotes.xml", "endnote"),
        (SegmentKind.COMMENT, "comments.xml", "comment"),
    ):
        walker.load_notes(package.part(name), tag, kind)
    hidden = sum(1 for mark in main.iter("{*}vanish") if _is_hidden(mark))
    if hidden:
        out.fail(
            FailureCause.POLICY, f"{hidden} stretches are formatted as hidden text; they were read.", "Look at them."
        )
    body = child(main, "body")
    walker.blocks(main if body is None else body)
    walker.orphans()
    out.pages()
    for kind, pattern in ((SegmentKind.HEADER, r"header\d*\.xml"), (SegmentKind.FOOTER, r"footer\d*\.xml")):
        _margins(package, walker, kind, pattern)
    for name in package.named(r"diagrams/data\d*\.xml") + package.named(r"charts/chart\d*\.xml"):
        _drawing(package, out, name)
    return out.build()


def _is_hidden(mark: Element) -> bool:
    """Tell whether a mark hides the words of a run."""
    properties = mark.getparent()
    run = None if properties is None else properties.getparent()
    if run is None or local(run) != "r" or child(run, "rPr", "vanish") is not mark:
        return False
    return attribute(mark, "val") not in {"0", "false"} and bool((run.findtext("{*}t") or "").strip())


def _margins(package: _Package, walker: _Walker, kind: SegmentKind, pattern: str) -> None:
    """Write headers or footers once each, after the text."""
    seen: set[str] = set()
    for name in package.named(pattern):
        root = package.part(name)
        text = "" if root is None else walker.flat(root)
        if text and text not in seen:
            seen.add(text)
            package.out.block(f"[{kind.value.capitalize()}: {text}]", kind, kind.value)


def _drawing(package: _Package, out: TextBuilder, name: str) -> None:
    root = package.part(name)
    words = [] if root is None else [e.text for e in root.iter() if local(e) in {"t", "v"} and e.text]
    if words:
        out.block("[Drawing: " + " | ".join(words) + "]", SegmentKind.PARAGRAPH, "drawing")


@dataclass
class _Walker:
    """Writes block content in reading order."""

    out: TextBuilder
    numbering: Numbering
    headings: Mapping[str, int]
    redlines: bool = False
    notes: dict[tuple[str, str], tuple[SegmentKind, str, str]] = field(default_factory=dict)
    tables: int = 0
    depth: int = 0
    _carried: str = ""
    _carried_notes: list[tuple[str, str]] = field(default_factory=list)

    def load_notes(self, root: Element | None, tag: str, kind: SegmentKind) -> None:
        """Keep footnotes, endnotes or comments until their reference is met."""
        number = 0
        for note in () if root is None else root:
            if local(note) != tag or attribute(note, "type") in {"separator", "continuationSeparator"}:
                continue
            number += 1
            text = self.flat(note)
            author = attribute(note, "author") or ""
            label = f"{tag} {number}" + (f" by {author}" if author else "")
            self.notes[(tag, attribute(note, "id") or "")] = (kind, label, text)

    def flat(self, root: Element) -> str:
        """Return a part's paragraphs on one line."""
        inline = [self.inline(p).text for p in root.iter() if local(p) == "p"]
        return re.sub(r"\s+", " ", " ".join(inline)).strip()

    def inline(self, paragraph: Element) -> Inline:
        """Return a paragraph's running text, with marks of tracked changes where they are asked for."""
        return Inline(paragraph, self.redlines)

    def blocks(self, parent: Element) -> None:
        """Write the paragraphs and tables below an element."""
        if self.depth >= _DEPTH:
            self.out.fail(FailureCause.CAPACITY, "Content nested too deeply was left out.", "Save a simpler copy.")
            return
        self.depth += 1
        for element in parent:
            if self.out.cut:
                break
            name = local(element)
            if name == "p":
                self.paragraph(element)
            elif name == "tbl":
                self.table(element)
            elif name == "altChunk":
                self.out.fail(FailureCause.READER, "An embedded document (altChunk) was not read.", "Save it as .docx.")
            elif name in _WRAPPERS:
                self.blocks(element)
        self.depth -= 1

    def paragraph(self, element: Element) -> None:
        """Write one paragraph with its label, then its notes and boxes."""
        inline = self.inline(element)
        notes = [*self._carried_notes, *inline.notes]
        properties = child(element, "pPr")
        merged = child(properties, "rPr", "del") is not None or child(properties, "rPr", "moveFrom") is not None
        if merged and not self.redlines:
            # The paragraph mark is deleted: its text runs on into the next paragraph.
            self._carried += inline.text
            self._carried_notes = notes
            return
        text = self._carried + inline.text
        self._carried, self._carried_notes = "", []
        style = attribute(child(properties, "pStyle"), "val") or ""
        visible = bool(text.strip())
        label = self.label(properties, style) if visible else ""
        level = self._heading(properties, style)
        shown = f"{label} {text.lstrip(' ')}" if label else text
        kind = SegmentKind.HEADING if level and len(text) < LONGEST_HEADING else SegmentKind.PARAGRAPH
        title = re.sub(r"\s+", " ", shown).strip()[:LABEL] if kind is SegmentKind.HEADING else label
        if merged and not _DELETED.fullmatch(shown.strip()):
            shown += "[del]¶[/del]"
            inline.revisions.append("deletion of a paragraph mark")
        self._block(shown, kind, title, level if kind is SegmentKind.HEADING else 0, inline.revisions)
        for box in inline.boxes:
            self.blocks(box)
        for key in notes:
            self._note(key)

    def _block(self, shown: str, kind: SegmentKind, title: str, level: int, revisions: list[str]) -> None:
        """Write a block, and mark its tracked changes where they are shown."""
        self.out.block(shown, kind, title, level=level)
        if revisions:
            self._revisions(shown, revisions)

    def _revisions(self, shown: str, revisions: list[str]) -> None:
        """Mark the tracked changes of what was written last."""
        base = self.out.offset - len(clean(shown.strip("\n ")).replace("\f", ""))
        spans = _marks(clean(shown.strip("\n ")).replace("\f", ""))
        for (start, end), label in zip(spans, revisions, strict=False):
            self.out.mark(SegmentKind.REVISION, label, base + start, base + end)

    def _heading(self, properties: Element | None, style: str) -> int:
        outline = attribute(child(properties, "outlineLvl"), "val")
        if outline is not None and outline.isdigit():
            return int(outline) + 1 if int(outline) < BODY_TEXT else 0
        return self.headings.get(style, 0)

    def label(self, properties: Element | None, style: str) -> str:
        """Return the number that Word computes for the next paragraph, in reading order."""
        direct = child(properties, "numPr")
        num = attribute(child(direct, "numId"), "val")
        at = attribute(child(direct, "ilvl"), "val")
        inherited = self.numbering.style_of_num.get(style or "Normal")
        if num is None and inherited is None:
            return ""
        if num is None and inherited is not None:
            num = inherited[0]
            level = inherited[1]
            if at is None:
                at = str(self.numbering.level_of_style(num, style) if level is None else level)
        if num in {None, "0"}:
            return ""
        return self.numbering.next_label(str(num), int(at) if at and at.isdigit() else 0)

    def _note(self, key: tuple[str, str]) -> None:
        note = self.notes.pop(key, None)
        if note and note[2]:
            kind, label, text = note
            self.out.block(f"[{label[0].upper()}{label[1:]}: {text}]", kind, label)

    def orphans(self) -> None:
        """Write the notes that are still pending, and those that nothing refers to."""
        if self._carried:
            self.out.block(self._carried)
            self._carried = ""
        for key in list(self.notes):
            self._note(key)

    def table(self, element: Element) -> None:
        """Write a table: one line per row, cells separated by bars; layout tables as plain blocks."""
        self.tables += 1
        name = f"table {self.tables}"
        self.out.gap()
        start = self.out.offset
        for number, row in enumerate(_rows(element, self.redlines), start=1):
            cells = [c for c in _wrapped(row, "tc") if child(c, "tcPr", "vMerge") is None or _starts_merge(c)]
            texts = [self._cell(c) for c in cells]
            filled = [c for c, t in zip(cells, texts, strict=True) if t]
            if len(filled) == 1 or any(len(t) > _WIDE_CELL for t in texts):
                for cell in filled:
                    self.blocks(cell)
            elif filled:
                # Labels are computed once, in reading order: the cell texts above counted nothing.
                line = self._row_mark(row, " | ".join(self._cell(c, count=True) for c in cells))
                self.out.block(line, SegmentKind.ROW, f"{name}, row {number}", gap=1)
                if self.redlines:
                    self._revisions(line, [f"change in {name}, row {number}"] * len(_marks(line)))
                for cell in filled:
                    for para in _wrapped(cell, "p"):
                        for key in self.inline(para).notes:
                            self._note(key)
        self.out.mark(SegmentKind.TABLE, name, start, self.out.offset)

    def _row_mark(self, row: Element, line: str) -> str:
        """Mark a row that was inserted or deleted as a whole."""
        for mark in ("ins", "del") if self.redlines else ():
            if child(row, "trPr", mark) is not None:
                return f"[{mark}]{_MARK.sub('', line)}[/{mark}]"
        return line

    def _cell(self, cell: Element, count: bool = False) -> str:
        parts: list[str] = []
        for element in _wrapped(cell, "p", "tbl"):
            if local(element) == "tbl":
                rows = [
                    "; ".join(filter(None, (self._cell(c, count) for c in _wrapped(r, "tc")))) for r in _rows(element)
                ]
                parts.append(" / ".join(filter(None, rows)))
                continue
            text = re.sub(r"[ \t\n]+", " ", self.inline(element).text).strip()
            properties = child(element, "pPr")
            style = attribute(child(properties, "pStyle"), "val") or ""
            label = self.label(properties, style) if count and text else ""
            parts.append(f"{label} {text}".strip())
        return " ".join(filter(None, parts))


def _marks(text: str) -> list[tuple[int, int]]:
    """Return the tracked changes of a text in the order in which they close, as their marks record them."""
    found: list[tuple[int, int]] = []
    opened: list[int] = []
    for mark in _MARK.finditer(text):
        if not mark[0].startswith("[/"):
            opened.append(mark.start())
        elif opened:
            found.append((opened.pop(), mark.end()))
    return found


def _starts_merge(cell: Element) -> bool:
    return attribute(child(cell, "tcPr", "vMerge"), "val") == "restart"


def _wrapped(parent: Element, *names: str) -> list[Element]:
    """Return the children of the given names, also inside content controls and tracked insertions."""
    found = []
    for element in parent:
        if local(element) in names:
            found.append(element)
        elif local(element) in _WRAPPERS:
            found.extend(_wrapped(element, *names))
    return found


def _rows(table: Element, deleted: bool = False) -> list[Element]:
    return [r for r in _wrapped(table, "tr") if deleted or child(r, "trPr", "del") is None]
