"""XML parsing for hostile input: no entities, no network, recovery when asked for."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from lxml import etree  # type: ignore[import-untyped]

from tasks.sources.limits import UnreadableError

Element = Any
XMLSyntaxError: type[Exception] = etree.XMLSyntaxError
_BARE_AMPERSAND = re.compile(rb"&(?!(?:#\d{1,7}|#x[0-9A-Fa-f]{1,6}|amp|lt|gt|quot|apos);)")
_DOCTYPE = re.compile(rb"<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>", re.DOTALL)


def _parser(recover: bool) -> Any:
    return etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=recover, huge_tree=False)


def parse_xml(data: bytes, part: str) -> tuple[Element, bool]:
    """Parse a part; the flag tells whether it had to be repaired.

    A document type declaration is taken out, so that no entity is ever declared.
    """
    repaired = False
    if b"<!DOCTYPE" in data[:100_000] or b"<!ENTITY" in data[:100_000]:
        data, repaired = _DOCTYPE.sub(b"", data, count=1), True
    try:
        root = etree.fromstring(data, _parser(recover=False))
        # One in another encoding, or far down, declares entities after all: they are not expanded, but words are lost.
        return root, repaired or root.getroottree().docinfo.internalDTD is not None
    except (etree.XMLSyntaxError, ValueError) as error:
        _want_of_memory(error)
    root = None
    try:
        root = etree.fromstring(_BARE_AMPERSAND.sub(b"&amp;", data), _parser(recover=True))
    except (etree.XMLSyntaxError, ValueError) as error:
        _want_of_memory(error)
        raise UnreadableError(f"The part {part} is not XML ({error}).", "Open and save the file again.") from error
    if root is None:
        raise UnreadableError(f"The part {part} is not XML.", "Open and save the file again in its own program.")
    return root, True


def _want_of_memory(error: Exception) -> None:
    """Raise MemoryError where the parser ran out of memory: the markup itself may be valid.

    The parser then either reports it, or has no memory left to report the line at which it stopped.
    """
    if "memory" in str(error).lower() or str(error).startswith("unknown error"):
        raise MemoryError from error


def local(element: Element) -> str:
    """Return the tag name without its namespace; empty for comments and entities."""
    tag = element.tag
    return _bare(tag) if isinstance(tag, str) else ""


@lru_cache(maxsize=4096)
def _bare(tag: str) -> str:
    """Drop the namespace; cached, since documents repeat a few dozen tags tens of thousands of times."""
    return tag.rpartition("}")[2]


def attribute(element: Element | None, name: str) -> str | None:
    """Return an attribute by local name, whatever its namespace."""
    if element is None:
        return None
    for key, value in element.items():
        if _bare(key) == name:
            return str(value)
    return None


def child(element: Element | None, *path: str) -> Element | None:
    """Return the first descendant along local names, whatever their namespaces, or None."""
    for name in path:
        if element is None:
            return None
        element = next(element.iterchildren(f"{{*}}{name}"), None)
    return element
