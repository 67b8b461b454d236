"""Margin comments of a Word document that say why a change was made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lxml import etree  # type: ignore[import-untyped]

from tasks.release.redline.runs import Stamp, W, cut, pieces
from tasks.sources.limits import GuardedZip
from tasks.sources.markup import Element, attribute, local, parse_xml

COMMENTS = "word/comments.xml"
_TYPES, _RELATIONS = "[Content_Types].xml", "word/_rels/document.xml.rels"
_KIND = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


@dataclass
class Margin:
    """The comments to insert into a document.

    Attributes:
        taken: Highest number of a comment that the document has.
    """

    stamp: Stamp
    taken: int = -1
    made: list[tuple[int, str]] = field(default_factory=list)

    def beside(self, elements: Sequence[Element], text: str) -> bool:
        """Comment on the stretch from the first to the last of the given elements."""
        spots = [spot for e in elements if (spot := _spot(e)) is not None]
        if not spots:
            return False
        order = {id(e): n for n, e in enumerate(spots[0].getroottree().getroot().iter())}
        spots.sort(key=lambda e: order.get(id(e), 0))
        self._around(spots[0], spots[-1], text)
        return True

    def upon(self, paragraphs: Iterable[Element], pattern: re.Pattern[str], text: str) -> bool:
        """Comment on the first place that has the words; return whether there is one."""
        for paragraph in paragraphs:
            parts = pieces(paragraph)
            match = pattern.search("".join(p.text for p in parts))
            if match is None or match.end() == match.start():
                continue
            parts = cut(cut(parts, match.end()), match.start())
            at, inside = 0, list[Element]()
            for piece in parts:
                if match.start() <= at < match.end():
                    inside.append(piece.run)
                at += len(piece.text)
            return self.beside(inside, text)
        return False

    def _around(self, first: Element, last: Element, text: str) -> None:
        number = self.taken + 1 + len(self.made)
        self.made.append((number, text))
        start, end = etree.Element(f"{W}commentRangeStart"), etree.Element(f"{W}commentRangeEnd")
        for mark in (start, end):
            mark.set(f"{W}id", str(number))
        run = etree.Element(f"{W}r")
        etree.SubElement(run, f"{W}commentReference").set(f"{W}id", str(number))
        if local(first) == "p":
            first.insert(1 if len(first) and local(first[0]) == "pPr" else 0, start)
        else:
            first.addprevious(start)
        if local(last) == "p":
            last.extend((end, run))
        else:
            last.addnext(end)
            end.addnext(run)

    def parts(self, archive: GuardedZip) -> Mapping[str, bytes]:
        """Return the parts of the package that the comments need, new or changed."""
        if not self.made:
            return {}
        root = _root(archive)
        for number, text in self.made:
            root.append(self._comment(number, text))
        changed = {COMMENTS: _bytes(root)}
        types, _ = parse_xml(archive.read(_TYPES), _TYPES)
        if not any((attribute(t, "PartName") or "").lower() == f"/{COMMENTS}" for t in types):
            made = etree.SubElement(types, f"{{{_PACKAGE}/content-types}}Override")
            made.set("PartName", f"/{COMMENTS}")
            made.set("ContentType", _KIND)
            changed[_TYPES] = _bytes(types)
        relations = (
            parse_xml(archive.read(_RELATIONS), _RELATIONS)[0]
            if archive.has(_RELATIONS)
            else etree.Element(f"{{{_PACKAGE}/relationships}}Relationships")
        )
        if not any(attribute(r, "Type") == _RELATION for r in relations):
            known = {attribute(r, "Id") for r in relations}
            made = etree.SubElement(relations, f"{{{_PACKAGE}/relationships}}Relationship")
            made.set("Id", next(f"rIdNote{n}" for n in range(1, 10_000) if f"rIdNote{n}" not in known))
            made.set("Type", _RELATION)
            made.set("Target", "comments.xml")
            changed[_RELATIONS] = _bytes(relations)
        return changed

    def _comment(self, number: int, text: str) -> Element:
        made = etree.Element(f"{W}comment")
        made.set(f"{W}id", str(number))
        made.set(f"{W}author", self.stamp.author)
        made.set(f"{W}initials", "".join(w[0] for w in self.stamp.author.split())[:3].upper() or "S")
        if self.stamp.date:
            made.set(f"{W}date", self.stamp.date)
        for line in _ILLEGAL.sub("", text).split("\n") or [""]:
            run = etree.SubElement(etree.SubElement(made, f"{W}p"), f"{W}r")
            words = etree.SubElement(run, f"{W}t")
            words.set(_SPACE, "preserve")
            words.text = line
        return made


def margin_of(archive: GuardedZip, stamp: Stamp) -> Margin:
    """Return the margin of a document; new comments are numbered after the existing ones."""
    numbers = [attribute(c, "id") or "" for c in _root(archive)]
    return Margin(stamp, max((int(n) for n in numbers if n.isdigit()), default=-1))


def _root(archive: GuardedZip) -> Element:
    if archive.has(COMMENTS):
        return parse_xml(archive.read(COMMENTS), COMMENTS)[0]
    return etree.Element(f"{W}comments", nsmap={"w": W.strip("{}")})


def _spot(element: Element) -> Element | None:
    """Return the element that a comment's marks can be placed beside."""
    at = element
    while at is not None and local(at.getparent() if at.getparent() is not None else at) != "p":
        at = at.getparent()
        if at is None or at.getparent() is None:
            return None
    if at is None or at.getparent() is None:
        return None
    return at.getparent() if local(at) == "pPr" else at


def _bytes(root: Element) -> bytes:
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))
