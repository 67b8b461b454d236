"""Lines of a document: which carry text, which are page furniture, which belong to a table of contents."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from tasks.retrieval.numbering import Marker, read_marker
from tasks.sources.records import CanonicalText, SegmentKind

_PAGE = re.compile(
    r"[-–—\[( ]*(?:page[ \t]*)?(?:[A-Z]-)?(?:\d{1,4}|[ivxl]{1,6})(?:[ \t]*(?:of|/)[ \t]*\d{1,4})?[-–—\]) ]*",
    re.IGNORECASE,
)
_TOC_TITLE = re.compile(r"(?:table[ \t]+of[ \t]+contents|contents|index)[ \t.:]*(?:\(continued\))?", re.IGNORECASE)
_TOC_LINE = re.compile(r".{2,120}?(?:\.[ \t]?){3,}[ \t]*(?:[A-Z]-)?\d{1,4}|.{3,120}?(?:\t+|[ ]{3,})(?:[A-Z]-)?\d{1,4}")
_TOC_LOOSE = re.compile(r".{3,100}[ \t](?:[A-Z]-)?\d{1,3}")
_SMALL = frozenset(
    re.findall(r"[a-z]+", "a an and as at by for from in into nor of on or per the to upon vs with without")
)
_TERMINAL = (".", ";", ":", ",", "and", "or", ".”", '."', ")")


@dataclass(frozen=True)
class Line:
    """A line with text. ``start`` and ``end`` are the offsets of its stripped text."""

    start: int
    end: int
    text: str
    marker: Marker | None
    heading: bool
    fresh: bool


def is_title_case(text: str) -> bool:
    """Tell whether a short text is set like a heading: its words capitalised but for small ones."""
    words = re.findall(r"[^\W\d_][\w'’\-]*", text)
    if not words or not words[0][0].isupper():
        return False
    return all(word[0].isupper() or word.lower() in _SMALL for word in words)


def is_heading(text: str) -> bool:
    """Tell whether an unnumbered line looks like a heading: short, in capitals or title case, no sentence."""
    if not 3 <= len(text) <= 90 or len(text.split()) > 12:
        return False
    if text.endswith((",", ";", "-", "…")) or "__" in text or "..." in text or "@" in text:
        return False
    letters = [ch for ch in text if ch.isalpha()]
    if len(letters) < 0.6 * len(text.replace(" ", "")) or len(letters) < 3:
        return False
    body = text.rstrip(" .:")
    if body.isupper():
        return True
    return not text.endswith(".") and is_title_case(body) and len(body.split()) <= 8 and text.count(",") == 0


def _repeated(rows: list[tuple[int, int, str]]) -> set[str]:
    """Return the lines that recur so often that they are page headers or footers."""
    counts = Counter(re.sub(r"\d+", "#", text) for _, _, text in rows if 8 <= len(text) <= 140)
    return {text for text, n in counts.items() if n >= 5 and read_marker(text) is None and "__" not in text}


def _contents(rows: list[tuple[int, int, str]]) -> set[int]:
    """Return the indexes of the rows of a table of contents."""
    found = {i for i, (_, _, text) in enumerate(rows) if _TOC_LINE.fullmatch(text)}
    dotted = {i for i in found if "..." in rows[i][2] or ". . ." in rows[i][2]}
    for i, (_, _, text) in enumerate(rows):
        if not _TOC_TITLE.fullmatch(text):
            continue
        found.add(i)
        dotted.add(i)
        last, j = i, i + 1
        while j < len(rows) and j - last <= 3 and j - i < 600:
            if j in found or _TOC_LOOSE.fullmatch(rows[j][2]) or _PAGE.fullmatch(rows[j][2]):
                dotted.update(range(last + 1, j + 1))
                last = j
            j += 1
    # A lone "Price    100" is a table row, not a table of contents: ask for neighbours.
    return dotted | {i for i in found if i - 1 in found and i + 1 in found and read_marker(rows[i][2])}


def _fixed(canonical: CanonicalText) -> tuple[set[int], list[tuple[int, int]]]:
    """Return the starts of the reader's own headings, and the stretches of headers and footers."""
    headings = {s.start for s in canonical.segments if s.kind is SegmentKind.HEADING}
    furniture = [(s.start, s.end) for s in canonical.segments if s.kind in (SegmentKind.HEADER, SegmentKind.FOOTER)]
    return headings, sorted(furniture)


def read_lines(canonical: CanonicalText) -> list[Line]:
    """Return the lines that carry the document's own text, in order.

    Page numbers, running headers and the table of contents are left out; they stay in the text, of course,
    and so inside the span of whatever clause surrounds them.
    """
    rows = _rows(canonical.text)
    headings, furniture = _fixed(canonical)
    repeated, contents = _repeated(rows), _contents(rows)
    lines: list[Line] = []
    stop, previous_end, pending = 0, 0, True
    for i, (start, end, text) in enumerate(rows):
        while stop < len(furniture) and furniture[stop][1] <= start:
            stop += 1
        in_furniture = stop < len(furniture) and furniture[stop][0] <= start
        if in_furniture or i in contents or _PAGE.fullmatch(text) or re.sub(r"\d+", "#", text) in repeated:
            continue
        blank = canonical.text.count("\n", previous_end, start) > 1
        closed = not lines or lines[-1].text.endswith(_TERMINAL) or lines[-1].heading
        fresh = pending or blank or closed
        marker = read_marker(text)
        own = start in headings
        lines.append(Line(start, end, text, marker, own or (marker is None and is_heading(text)), fresh))
        previous_end, pending = end, False
    return lines


def _rows(text: str) -> list[tuple[int, int, str]]:
    rows = []
    offset = 0
    for raw in text.split("\n"):
        stripped = raw.strip()
        if stripped:
            start = offset + len(raw) - len(raw.lstrip())
            rows.append((start, start + len(stripped), stripped))
        offset += len(raw) + 1
    return rows
