"""Tracked changes inside one Word paragraph: runs are split, struck and inserted; their formatting stays."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lxml import etree  # type: ignore[import-untyped]

from tasks.release.redline_words import Change
from tasks.sources.markup import Element, child, local

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_CLOSED = {"del", "moveFrom", "pPr", "rPr", "txbxContent", "AlternateContent", "drawing", "pict", "object", "instrText"}
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_SIGNS = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


@dataclass
class Stamp:
    """Who makes the changes; numbers them as Word asks.

    Attributes:
        date: ISO date and time, or empty: then no date is claimed.
    """

    author: str
    date: str = ""
    last: int = 9000

    def element(self, name: str) -> Element:
        """Return a new ``w:ins`` or ``w:del``."""
        self.last += 1
        made = etree.Element(f"{W}{name}")
        made.set(f"{W}id", str(self.last))
        made.set(f"{W}author", self.author)
        if self.date:
            made.set(f"{W}date", self.date)
        return made


@dataclass(frozen=True)
class Piece:
    """One run with one sign or one stretch of text."""

    run: Element
    text: str


def pieces(paragraph: Element) -> list[Piece]:
    """Split a paragraph's runs so that each holds one piece of text, and return them in order.

    What an earlier editor struck is not text any more; boxes and drawings are left alone.
    """
    found = [Piece(r, _text(r)) for run in list(_runs(paragraph)) for r in _single(run)]
    return [p for p in found if p.text]


def _runs(parent: Element) -> Iterator[Element]:
    for element in parent:
        if local(element) == "r":
            yield element
        elif local(element) not in _CLOSED:
            yield from _runs(element)


def _single(run: Element) -> Iterator[Element]:
    """Yield runs of one child each, made of a run; inside a tracked insertion each gets a wrapper of its own."""
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
    """Return the wording of a paragraph as it stands with earlier changes accepted."""
    return "".join(p.text for p in pieces(paragraph))


def mark_up(paragraph: Element, changes: Sequence[Change], stamp: Stamp) -> None:
    """Apply changes of the paragraph's wording as tracked insertions and deletions."""
    for change in reversed(changes):
        parts = _cut(_cut(pieces(paragraph), change.end), change.start)
        at, before, struck = 0, list[Piece](), list[Piece]()
        for piece in parts:
            if change.start <= at and at + len(piece.text) <= change.end:
                struck.append(piece)
            elif at < change.start:
                before.append(piece)
            at += len(piece.text)
        anchor = [_strike(piece.run, stamp) for piece in struck][-1:] or [p.run for p in before[-1:]]
        if change.new:
            like = struck[0].run if struck else (before or parts or [Piece(etree.Element(f"{W}r"), "")])[-1].run
            _insert(paragraph, anchor[0] if anchor else None, change.new, like, stamp, parts)


def _cut(parts: list[Piece], at: int) -> list[Piece]:
    """Split the piece that a place falls into."""
    out: list[Piece] = []
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
            out += [Piece(piece.run, piece.text[:cut]), Piece(second, piece.text[cut:])]
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
    paragraph: Element, anchor: Element | None, new: str, like: Element, stamp: Stamp, parts: Sequence[Piece]
) -> None:
    insertion = stamp.element("ins")
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


def strike_paragraph(paragraph: Element, stamp: Stamp) -> None:
    """Track the deletion of a whole paragraph, its mark included."""
    for piece in pieces(paragraph):
        _strike(piece.run, stamp)
    _mark_of(paragraph).insert(0, stamp.element("del"))


def new_paragraph(text: str, like: Element | None, stamp: Stamp) -> Element:
    """Return a paragraph tracked as inserted, formatted as another one."""
    made = etree.Element(f"{W}p")
    properties = child(like, "pPr")
    if properties is not None:
        made.append(copy.deepcopy(properties))
        for name in ("sectPr", "pPrChange"):
            for inner in made[0].findall(f"{W}{name}"):
                made[0].remove(inner)
    mark = _mark_of(made)
    for old in [c for c in mark if local(c) in {"ins", "del", "moveFrom", "moveTo"}]:
        mark.remove(old)
    mark.insert(0, stamp.element("ins"))
    runs = pieces(like) if like is not None else []
    _insert(made, None, text, runs[0].run if runs else etree.Element(f"{W}r"), stamp, ())
    return made


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
