"""The headings that a PDF names itself: its outline, found again among the printed lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tasks.legaltext.fold import fold
from tasks.sources.readers.pdf.layout import PrintedLine

_MOST = 5_000  # entries that are looked for
_LINES = 4  # lines over which a heading may run
_LETTERS = 3  # fewer prove no heading

Entries = Mapping[int, Sequence[tuple[str, int]]]


def outline_of(document: Any) -> Entries:
    """Return the entries of each page, from 1: the folded title and the level, from 1."""
    found: dict[int, list[tuple[str, int]]] = {}
    for count, entry in enumerate(_bookmarks(document)):
        if count >= _MOST:
            break
        destination = entry.get_dest()
        page = destination.get_index() if destination else None
        title = fold(entry.get_title() or "")
        if page is not None and len(title) >= _LETTERS:
            found.setdefault(page + 1, []).append((title, entry.level + 1))
    return found


def _bookmarks(document: Any) -> Iterable[Any]:
    try:
        yield from document.get_toc()
    except (RuntimeError, ValueError):  # a broken outline leaves the text as it is printed
        return


def heads_of(lines: Sequence[PrintedLine], entries: Sequence[tuple[str, int]]) -> dict[int, tuple[int, int]]:
    """Return, for each line that belongs to a heading, its level and the index of the heading's first line.

    Entries are found in their order; an entry whose words are not printed as a line, or as a few, is left out.
    """
    heads: dict[int, tuple[int, int]] = {}
    begin = 0
    for title, level in entries:
        found = _find(lines, title, begin)
        if found is not None:
            heads |= dict.fromkeys(range(*found), (level, found[0]))
            begin = found[1]
    return heads


def _find(lines: Sequence[PrintedLine], title: str, begin: int) -> tuple[int, int] | None:
    for first in range(begin, len(lines)):
        words = ""
        for end in range(first, min(first + _LINES, len(lines))):
            words += fold(lines[end].text)
            if words == title:
                return first, end + 1
            if not title.startswith(words):
                break
    return None
