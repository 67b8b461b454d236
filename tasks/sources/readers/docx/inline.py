"""The running text of one Word paragraph, with the notes and boxes anchored in it."""

from __future__ import annotations

import re
import sys

from tasks.sources.markup import Element, attribute, child, local

_SKIPPED = {"del", "moveFrom", "pPr", "rPr", "delText", "instrText", "delInstrText", "rt", "sdtPr", "Fallback"}
_TRACKED = {"ins": "ins", "moveTo": "ins", "del": "del", "moveFrom": "del"}
_FORGED = re.compile(r"\[(/?(?:ins|del))\]")
_NOTES = {"footnoteReference": "footnote", "endnoteReference": "endnote", "commentReference": "comment"}
_DEPTH = 80  # below Python's limit of recursion; hostile files nest deeper


class Inline:
    """Text of a paragraph: results of fields, with insertions and without deletions.

    With ``redlines`` both are shown between marks, ``[ins]new[/ins]`` and ``[del]old[/del]``; a mark that the
    author typed is written with round brackets, so that nobody can forge a tracked change.

    Attributes:
        text: The text; a form feed where Word stored a page break.
        notes: (kind, id) of the footnotes, endnotes and comments referred to.
        boxes: Text boxes anchored in the paragraph.
        revisions: Who made each tracked change and when, in the order of the marks.
    """

    def __init__(self, paragraph: Element, redlines: bool = False) -> None:
        self.redlines = redlines
        self.revisions: list[str] = []
        self.notes: list[tuple[str, str]] = []
        self.boxes: list[Element] = []
        self._parts: list[str] = []
        self._walk(paragraph, 0)
        self.text = "".join(self._parts)

    def _walk(self, parent: Element, depth: int) -> None:
        for element in parent if depth < _DEPTH else ():
            name = local(element)
            if self.redlines and name in _TRACKED:
                self._tracked(element, _TRACKED[name], depth)
                continue
            if name in _SKIPPED and not (self.redlines and name == "delText"):
                continue
            if name in {"t", "delText"}:
                self._parts.append(_FORGED.sub(r"(\1)", element.text or "") if self.redlines else element.text or "")
            elif name == "AlternateContent":
                self._alternate(element, depth)
            elif name == "txbxContent":
                self.boxes.append(element)
            elif name in _NOTES:
                self.notes.append((_NOTES[name], attribute(element, "id") or ""))
            elif not self._sign(element, name):
                self._walk(element, depth + 1)

    def _tracked(self, element: Element, mark: str, depth: int) -> None:
        """Write a tracked change between its marks; an empty one leaves none."""
        at = len(self._parts)
        self._walk(element, depth + 1)
        if any(self._parts[at:]):
            self._parts.insert(at, f"[{mark}]")
            self._parts.append(f"[/{mark}]")
            self.revisions.append(revision(element, mark))

    def _alternate(self, element: Element, depth: int) -> None:
        """Take the first choice; the fallback repeats it for old readers."""
        choice = child(element, "Choice")
        chosen = choice if choice is not None and len(choice) else child(element, "Fallback")
        if chosen is not None:
            self._walk(chosen, depth + 1)

    def _sign(self, element: Element, name: str) -> bool:
        """Append the text of a single sign; return whether the element was one."""
        match name:
            case "tab" | "ptab":
                self._parts.append(" ")
            case "br" | "cr":
                self._parts.append(" " if attribute(element, "type") in {"page", "column"} else "\n")
            case "lastRenderedPageBreak":
                self._parts.append("\f")
            case "noBreakHyphen":
                self._parts.append("-")
            case "sym":
                self._parts.append(_symbol(attribute(element, "char") or ""))
            case "softHyphen":
                pass
            case "checkBox":
                on = child(element, "checked") or child(element, "default")
                self._parts.append("☒" if on is not None and attribute(on, "val") in {None, "1", "true"} else "☐")
            case _:
                return False
        return True


def revision(element: Element, mark: str) -> str:
    """Say who tracked a change and when: "insertion by A. Smith, 2024-03-01"."""
    name = {"ins": "insertion", "del": "deletion"}[mark]
    author, day = attribute(element, "author") or "", (attribute(element, "date") or "")[:10]
    return name + (f" by {author}" if author else "") + (f", {day}" if day else "")


def _symbol(code: str) -> str:
    """Return the character of a symbol font where it has a plain equivalent; boxes for ballot marks."""
    marks = {"F0A8": "☐", "F0FE": "☒", "F0FD": "☒", "F0A3": "☐", "F06F": "☐", "F0B7": "•", "F0D3": "©", "F0A7": "§"}
    if code.upper() in marks:
        return marks[code.upper()]
    try:
        point = int(code, 16)
    except ValueError:
        return ""
    private = 0xE000 <= point <= 0xF8FF  # Unicode's private use: what it shows depends on the font
    return "" if private or point > sys.maxunicode else chr(point)
