"""Tracked changes inside one Word paragraph: runs are split, struck and inserted; their formatting stays."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lxml import etree  # type: ignore[import-untyped]

from tasks.release.redline.words import WordChange
from tasks.sources.markup import Element, child, local

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_CLOSED = {"del", "moveFrom", "pPr", "rPr", "txbxContent", "AlternateContent", "drawing", "pict", "object", "instrText"}
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_SIGNS = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


@dataclass
class Stamp:
    """The author of the changes; numbers them as Word requires, and remembers which elements each edit made.

    Attributes:
        date: ISO date and time, or empty: then no date is claimed.
        owner: Number of the edit at work; -1 where none is.
    """

    author: str
    date: str = ""
    last: int = 0
    owner: int = -1
    made: list[tuple[int, Element]] = field(default_factory=list)

    def element(self, name: str) -> Element:
        """Return a new ``w:ins``, ``w:del``, ``w:moveFrom``, ``w:moveTo`` or the start of a range."""
        self.last += 1
        made = etree.Element(f"{W}{name}")
        made.set(f"{W}id", str(self.last))
        made.set(f"{W}author", self.author)
        if self.date:
            made.set(f"{W}date", self.date)
        self.made.append((self.owner, made))
        return made


@dataclass(frozen=True)
class RunPiece:
    """One run with one sign or one stretch of text."""

    run: Element
    text: str


def pieces(paragraph: Element) -> list[RunPiece]:
    """Split a paragraph's runs so that each holds one piece of text, and return them in order.

    Text that an earlier editor struck no longer counts; boxes and drawings stay unchanged.
    """
    found = [RunPiece(r, _text(r)) for run in list(_runs(paragraph)) for r in _single(run)]
    return [p for p in found if p.text]


def _runs(parent: Element) -> Iterator[Element]:
    for element in parent:
        if local(element) == "r":
            yield element
        elif local(element) not in _CLOSED:
            yield from _runs(element)


def _single(run: Element) -> Iterator[Element]:
    """Split a run into runs of one child each; inside a tracked insertion each gets its own wrapper."""
    content = [c for c in run if local(c) != "rPr"]
    at = run
    for extra in content[1:]:
        at.addnext(_like(run))
        at = at.getnext()
        at.append(extra)
    made = [run]
    while made[-1] is not at:
        made.append(made[-1].getnext())
    wrapper = run.getparent()
    if local(wrapper) in {"ins", "moveTo"} and len(wrapper) > 1:
        for inner in reversed(list(wrapper)[1:]):
            twin = etree.Element(wrapper.tag, wrapper.attrib)
            twin.append(inner)
            wrapper.addnext(twin)
    yield from made


def _like(run: Element) -> Element:
    """Return an empty run with the same formatting."""
    made = etree.Element(f"{W}r")
    properties = child(run, "rPr")
    if properties is not None:
        made.append(copy.deepcopy(properties))
    return made


def _text(run: Element) -> str:
    content = next((c for c in run if local(c) != "rPr"), None)
    if content is None:
        return ""
    return (content.text or "") if local(content) == "t" else _SIGNS.get(local(content), "")


def text_of(paragraph: Element) -> str:
    """Return the wording of a paragraph with earlier changes accepted."""
    return "".join(p.text for p in pieces(paragraph))


def mark_up(paragraph: Element, changes: Sequence[WordChange], stamp: Stamp, others: Sequence[Element] = ()) -> None:
    """Apply changes of the paragraph's wording, in order, as tracked insertions and deletions.

    A line feed in new words ends a paragraph: what follows becomes a new paragraph with the format of the one among
    ``others`` that the change names.
    """
    for change in reversed(changes):
        stamp.owner = change.owner
        parts = cut(cut(pieces(paragraph), change.end), change.start)
        at, before, struck = 0, list[RunPiece](), list[RunPiece]()
        for piece in parts:
            if change.start <= at and at + len(piece.text) <= change.end:
                struck.append(piece)
            elif at < change.start:
                before.append(piece)
            at += len(piece.text)
        if len(struck) > 1:
            _strike_notes(struck[0].run, struck[-1].run, stamp)
        anchor = [_strike(piece.run, stamp) for piece in struck][-1:] or [p.run for p in before[-1:]]
        like = struck[0].run if struck else (before or parts or [RunPiece(etree.Element(f"{W}r"), "")])[-1].run
        first, *added = change.new.split("\n")
        at_end = change.end >= at
        made = _insert(paragraph, anchor[0] if anchor else None, first, like, stamp, parts) if first else None
        look = others[change.like] if 0 <= change.like < len(others) else paragraph
        if added:
            after = made if made is not None else (anchor or [None])[0]
            _break(paragraph, after, added, stamp, look, at_end=at_end)
    stamp.owner = -1


def _break(
    paragraph: Element, anchor: Element | None, lines: Sequence[str], stamp: Stamp, look: Element, *, at_end: bool
) -> None:
    """Insert paragraphs at a place in a paragraph; the rest of that paragraph becomes a new one."""
    if at_end:
        for line in reversed([n for n in lines if n]):
            paragraph.addnext(new_paragraph(line, look, stamp))
        return
    top = anchor
    while top is not None and top.getparent() is not paragraph:
        top = top.getparent()
    rest = etree.Element(f"{W}p")
    properties = child(paragraph, "pPr")
    if properties is not None:
        rest.append(copy.deepcopy(properties))
        for inner in properties.findall(f"{W}sectPr"):
            properties.remove(inner)
    moved = [e for e in paragraph if e is not properties] if top is None else list(top.itersiblings())
    for element in moved:
        rest.append(element)
    paragraph.addnext(rest)
    _mark_of(paragraph).insert(0, stamp.element("ins"))
    if lines[-1]:
        _insert(rest, None, lines[-1], pieces(rest)[0].run, stamp, pieces(rest))
    for line in reversed([n for n in lines[:-1] if n]):
        paragraph.addnext(new_paragraph(line, rest if look is paragraph else look, stamp))


def _strike_notes(first: Element, last: Element, stamp: Stamp) -> None:
    """Strike the references to notes that stand between two struck runs of one parent."""
    if first.getparent() is not last.getparent():
        return
    run = first.getnext()
    while run is not None and run is not last:
        after = run.getnext()
        if local(run) == "r" and any(local(c) in {"footnoteReference", "endnoteReference"} for c in run):
            _strike(run, stamp)
        run = after


def cut(parts: list[RunPiece], at: int) -> list[RunPiece]:
    """Split the piece that contains a place."""
    out: list[RunPiece] = []
    start = 0
    for piece in parts:
        cut = at - start
        if 0 < cut < len(piece.text):
            second = _like(piece.run)
            piece.run.addnext(second)
            _outer_split(piece.run, second)
            _write(second, piece.text[cut:])
            content = next(c for c in piece.run if local(c) != "rPr")
            piece.run.remove(content)
            _write(piece.run, piece.text[:cut])
            out += [RunPiece(piece.run, piece.text[:cut]), RunPiece(second, piece.text[cut:])]
        else:
            out.append(piece)
        start += len(piece.text)
    return out


def _outer_split(run: Element, second: Element) -> None:
    """Give the second half of a run that an earlier editor inserted a wrapper of its own."""
    wrapper = run.getparent()
    if local(wrapper) in {"ins", "moveTo"}:
        twin = etree.Element(wrapper.tag, wrapper.attrib)
        twin.append(second)
        wrapper.addnext(twin)


def _write(run: Element, text: str, tag: str = "t") -> None:
    for number, line in enumerate(text.split("\n")):
        if number:
            etree.SubElement(run, f"{W}br")
        if line:
            made = etree.SubElement(run, f"{W}{tag}")
            made.set(_SPACE, "preserve")
            made.text = _ILLEGAL.sub("", line)


def _strike(run: Element, stamp: Stamp) -> Element:
    """Put a run into a tracked deletion; returns what an insertion may follow."""
    for content in run.iter(f"{W}t"):
        content.tag = f"{W}delText"
        content.set(_SPACE, "preserve")
    deletion = stamp.element("del")
    run.addprevious(deletion)
    deletion.append(run)
    outer = deletion.getparent()
    return outer if local(outer) in {"ins", "moveTo"} else deletion


def _insert(
    paragraph: Element,
    anchor: Element | None,
    new: str,
    like: Element,
    stamp: Stamp,
    parts: Sequence[RunPiece],
    name: str = "ins",
) -> Element:
    insertion = stamp.element(name)
    run = _like(like)
    _write(run, new)
    insertion.append(run)
    if anchor is not None:
        outer = anchor.getparent()
        (outer if local(outer) in {"ins", "moveTo"} else anchor).addnext(insertion)
    elif parts:
        first = parts[0].run
        outer = first.getparent()
        (outer if local(outer) in {"ins", "moveTo"} else first).addprevious(insertion)
    else:
        paragraph.append(insertion)
    return insertion


def strike_paragraph(paragraph: Element, stamp: Stamp, *, mark: bool = True) -> None:
    """Track the deletion of a whole paragraph, its mark included unless a cell or a section needs it."""
    found = pieces(paragraph)
    if len(found) > 1:
        _strike_notes(found[0].run, found[-1].run, stamp)
    for piece in found:
        _strike(piece.run, stamp)
    if mark and child(paragraph, "pPr", "sectPr") is None:
        _mark_of(paragraph).insert(0, stamp.element("del"))


def new_paragraph(text: str, like: Element | None, stamp: Stamp, name: str = "ins") -> Element:
    """Return a paragraph tracked as inserted (or moved to), formatted as another one."""
    made = etree.Element(f"{W}p")
    properties = child(like, "pPr")
    if properties is not None:
        made.append(copy.deepcopy(properties))
        for inner in ("sectPr", "pPrChange"):
            for old in made[0].findall(f"{W}{inner}"):
                made[0].remove(old)
    mark = _mark_of(made)
    for old in [c for c in mark if local(c) in {"ins", "del", "moveFrom", "moveTo"}]:
        mark.remove(old)
    mark.insert(0, stamp.element(name))
    runs = _likes(like) if like is not None else []
    _insert(made, None, text, runs[0] if runs else etree.Element(f"{W}r"), stamp, (), name)
    return made


def _likes(paragraph: Element) -> list[Element]:
    """Return the runs of a paragraph that lend a new one its format; struck ones if there are no others."""
    found = [p.run for p in pieces(paragraph)]
    return found or [r for r in paragraph.iter(f"{W}r") if r.find(f"{W}delText") is not None]


def move_paragraphs(found: Sequence[Element], texts: Sequence[str], after: Element, name: str, stamp: Stamp) -> None:
    """Track a move: the paragraphs at their old place, and with the same words after another paragraph."""
    target = after
    for number, text in enumerate(texts):
        like = found[min(number, len(found) - 1)]
        made = new_paragraph(text, like, stamp, "moveTo")
        target.addnext(made)
        _ranged(made, f"{name}", "moveTo", stamp)
        target = made
    for paragraph in found:
        for piece in pieces(paragraph):
            wrapper = stamp.element("moveFrom")
            piece.run.addprevious(wrapper)
            wrapper.append(piece.run)
        _mark_of(paragraph).insert(0, stamp.element("moveFrom"))
        _ranged(paragraph, f"{name}", "moveFrom", stamp)


def _ranged(paragraph: Element, name: str, kind: str, stamp: Stamp) -> None:
    """Name the two ends of a move, so that Word recognises them as one move."""
    start = stamp.element(f"{kind}RangeStart")
    start.set(f"{W}name", name)
    end = etree.Element(f"{W}{kind}RangeEnd")
    end.set(f"{W}id", str(start.get(f"{W}id")))
    properties = child(paragraph, "pPr")
    paragraph.insert(0 if properties is None else 1, start)
    paragraph.append(end)


def new_row(like: Element, texts: Sequence[str], stamp: Stamp) -> Element:
    """Return a table row tracked as inserted, formatted like another row with the same number of cells."""
    made = etree.Element(like.tag, like.attrib)
    for part in like:
        if local(part) != "tc":
            made.append(copy.deepcopy(part))
    _row_mark(made, "ins", stamp)
    cells = [c for c in like if local(c) == "tc"]
    for cell, text in zip(cells, texts, strict=True):
        twin = etree.SubElement(made, cell.tag, cell.attrib)
        properties = child(cell, "tcPr")
        if properties is not None:
            twin.append(copy.deepcopy(properties))
        twin.append(new_paragraph(text, next((p for p in cell.iter(f"{W}p")), None), stamp))
    return made


def strike_row(row: Element, stamp: Stamp) -> None:
    """Track the deletion of a table row with all that it holds."""
    for paragraph in list(row.iter(f"{W}p")):
        strike_paragraph(paragraph, stamp, mark=False)
    _row_mark(row, "del", stamp)


def _row_mark(row: Element, name: str, stamp: Stamp) -> None:
    properties = child(row, "trPr")
    if properties is None:
        properties = etree.Element(f"{W}trPr")
        before = [c for c in row if local(c) in {"tblPrEx"}]
        before[-1].addnext(properties) if before else row.insert(0, properties)
    for old in [c for c in properties if local(c) in {"ins", "del"}]:
        properties.remove(old)
    mark = stamp.element(name)
    later = [c for c in properties if local(c) == "trPrChange"]
    later[0].addprevious(mark) if later else properties.append(mark)


def _mark_of(paragraph: Element) -> Element:
    """Return the properties of the paragraph mark, made where they are missing."""
    properties = child(paragraph, "pPr")
    if properties is None:
        properties = etree.Element(f"{W}pPr")
        paragraph.insert(0, properties)
    mark = child(properties, "rPr")
    if mark is None:
        mark = etree.Element(f"{W}rPr")
        later = [c for c in properties if local(c) in {"sectPr", "pPrChange"}]
        if later:
            later[0].addprevious(mark)
        else:
            properties.append(mark)
    return mark
