"""The running text of one Word paragraph, and what hangs on it."""

from __future__ import annotations

from tasks.sources.markup import Element, attribute, child, local

_SKIPPED = {"del", "moveFrom", "pPr", "rPr", "delText", "instrText", "delInstrText", "rt", "sdtPr", "Fallback"}
_NOTES = {"footnoteReference": "footnote", "endnoteReference": "endnote", "commentReference": "comment"}
_DEPTH = 80


class Inline:
    """Text of a paragraph: fields by their result, insertions in, deletions out.

    Attributes:
        text: The text; a form feed where Word stored a page break.
        notes: (kind, id) of the footnotes, endnotes and comments referred to.
        boxes: Text boxes anchored in the paragraph.
    """

    def __init__(self, paragraph: Element) -> None:
        self.notes: list[tuple[str, str]] = []
        self.boxes: list[Element] = []
        self._parts: list[str] = []
        self._walk(paragraph, 0)
        self.text = "".join(self._parts)

    def _walk(self, parent: Element, depth: int) -> None:
        for element in parent if depth < _DEPTH else ():
            name = local(element)
            if name in _SKIPPED:
                continue
            if name == "t":
                self._parts.append(element.text or "")
            elif name == "AlternateContent":
                self._alternate(element, depth)
            elif name == "txbxContent":
                self.boxes.append(element)
            elif name in _NOTES:
                self.notes.append((_NOTES[name], attribute(element, "id") or ""))
            elif not self._sign(element, name):
                self._walk(element, depth + 1)

    def _alternate(self, element: Element, depth: int) -> None:
        """Take the first choice; the fallback repeats it for old readers."""
        choice = child(element, "Choice")
        chosen = choice if choice is not None and len(choice) else child(element, "Fallback")
        if chosen is not None:
            self._walk(chosen, depth + 1)

    def _sign(self, element: Element, name: str) -> bool:
        """Append what a single sign stands for; tells whether it was one."""
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


def _symbol(code: str) -> str:
    """Return the character of a symbol font where it is a plain one; boxes for ballot marks."""
    marks = {"F0A8": "☐", "F0FE": "☒", "F0FD": "☒", "F0A3": "☐", "F06F": "☐", "F0B7": "•", "F0D3": "©", "F0A7": "§"}
    if code.upper() in marks:
        return marks[code.upper()]
    try:
        point = int(code, 16)
    except ValueError:
        return ""
    return "" if 0xE000 <= point <= 0xF8FF or point > 0x10FFFF else chr(point)
