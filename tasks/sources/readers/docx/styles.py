"""What the styles of a Word document say of its paragraphs: heading levels, and the list that numbers them.

The data room of a matter comes from a few templates: the same styles, byte for byte and often the largest part of
the file, in document after document. So the parsed styles are kept for the next document.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from tasks.sources.markup import Element, attribute, child, local, parse_xml

_LARGEST_KEPT = 2 * 1024**2  # bytes; bounds the memory that kept parts take
_INHERITED = 20  # styles based on styles that are followed
BODY_TEXT = 9  # Word's outline level of running text; 0 to 8 are headings


@dataclass(frozen=True)
class Styles:
    """What the reader needs of ``styles.xml``.

    Attributes:
        headings: Heading level of a style id, by name, outline level or inheritance.
        lists: Number id and level (None where only the list tells) of a style id, inherited too.
        repaired: The part was malformed and had to be mended.
    """

    headings: Mapping[str, int] = field(default_factory=dict)
    lists: Mapping[str, tuple[str, int | None]] = field(default_factory=dict)
    repaired: bool = False


@dataclass(frozen=True)
class _Style:
    """One style as it is written down."""

    name: str
    base: str
    outline: str | None
    num: str | None
    level: int | None


def styles_of(data: bytes, part: str) -> Styles:
    """Return the content of a part ``styles.xml``; raises UnreadableError where it is not XML."""
    return _kept(data, part) if len(data) <= _LARGEST_KEPT else _read(data, part)


@lru_cache(maxsize=8)
def _kept(data: bytes, part: str) -> Styles:
    return _read(data, part)


def _read(data: bytes, part: str) -> Styles:
    root, repaired = parse_xml(data, part)
    return load_styles(root, repaired)


def load_styles(root: Element | None, repaired: bool = False) -> Styles:
    """Read the styles; none where there is no part."""
    styles = {}
    for element in () if root is None else root.iterchildren("{*}style"):
        key = attribute(element, "styleId")
        if key is not None:
            styles[key] = _style(element)
    return Styles(_headings(styles), _lists(styles), repaired)


def _style(element: Element) -> _Style:
    parts = {local(c): c for c in reversed(element)}  # of parts written twice the first counts
    properties = parts.get("pPr")
    numbers = child(properties, "numPr")
    level = child(numbers, "ilvl")
    return _Style(
        name=(attribute(parts.get("name"), "val") or "").lower(),
        base=attribute(parts.get("basedOn"), "val") or "",
        outline=attribute(child(properties, "outlineLvl"), "val"),
        num=attribute(child(numbers, "numId"), "val"),
        level=None if level is None else integer(level, 0),
    )


def integer(element: Element | None, default: int) -> int:
    """Return an element's value as a number."""
    try:
        return int(attribute(element, "val") or default)
    except ValueError:
        return default


def _headings(styles: Mapping[str, _Style]) -> dict[str, int]:
    level: dict[str, int] = {}
    for key, style in styles.items():
        match = re.fullmatch(r"heading (\d)", style.name)
        if match:
            level[key] = int(match.group(1))
        elif style.name in {"title", "subtitle"}:
            level[key] = 1
        elif style.outline is not None and style.outline.isdigit() and int(style.outline) < BODY_TEXT:
            level[key] = int(style.outline) + 1
    for key in styles:
        at = key
        for _ in range(_INHERITED):
            if not at or at in level:
                break
            at = styles[at].base if at in styles else ""
        if at in level:
            level.setdefault(key, level[at])
    return level


def _lists(styles: Mapping[str, _Style]) -> dict[str, tuple[str, int | None]]:
    found: dict[str, tuple[str, int | None]] = {}
    for key, style in styles.items():
        at: _Style | None = style
        level = style.level
        for _ in range(_INHERITED):
            if at is None:
                break
            level = at.level if level is None else level
            if at.num is not None:
                found[key] = (at.num, level)
                break
            at = styles.get(at.base)
    return found
