"""Lines of a document: which carry text, which are page furniture, which belong to a table of contents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from tasks.retrieval.numbering import Marker, read_marker
from tasks.sources.builder import LONGEST_HEADING
from tasks.sources.records import CanonicalText, SegmentKind

_PAGE = re.compile(
    r"[-–—\[( ]*(?:page[ \t]*|p\.[ \t]*)?(?:[A-Z]-)?(?:\d{1,4}|[ivxl]{1,6})"
    r"(?:[ \t]*(?:of|/)[ \t]*\d{1,4})?[-–—\]) │|]*+(?:page)?[ ]*",
    re.IGNORECASE,
)
_TOC_TITLE = re.compile(r"(?:table[ \t]+of[ \t]+contents|contents|index)[ \t.:]*(?:\(continued\))?", re.IGNORECASE)
_TOC_LINE = re.compile(r".{2,120}?(?:\.[ \t]?){3,}[ \t]*(?:[A-Z]-)?\d{1,4}|.{3,120}?(?:\t+|[ ]{3,})(?:[A-Z]-)?\d{1,4}")
_TOC_LOOSE = re.compile(r".{3,100}[ \t](?:[A-Z]-)?\d{1,3}")
_SMALL = frozenset(
    re.findall(r"[a-z]+", "a an and as at by for from in into nor of on or per the to upon vs with without")
)
_TERMINAL = (".", ";", ":", ",", "and", "or", ".”", '."', ")")


HEADING_MARK = re.compile(r"#{1,6}[ \t]+(?=\S)")
# Characters and words of a line that may be a heading, and words of a title in title case; all chosen by eye.
HEADING = 90
HEADING_WORDS = 12
TITLE_WORDS = 8
# Chosen by eye on the development contracts, as the lengths of a heading above; none was measured.
_SHORTEST = 3  # characters, and letters, of a heading
_LETTERS = 0.75  # of its characters; a line with fewer is a form, a table or an amount
_WITH_STOP = 7  # words of a heading in title case that ends with a full stop; a longer one is a sentence
_RUNNING = (8, 140)  # characters of a running line: a shorter one is a label, a longer one a paragraph
_RECURS = 5  # times that a running line stands in a document, and titles that make a table of contents
_WRAPPED, _TOC_ROWS = 3, 600  # rows that one entry may take, and that a table of contents may have (bounds the time)
_EARLY_ROWS, _EARLY_PART = 60, 4  # rows at the top, or one part in four, that are searched for it
_TOC_TITLE_LENGTH = 110  # characters of an entry
_AGAIN = 0.6  # of the titles that stand again below: the others were changed between table and text
_ONE_CLAUSE = 120  # characters of a row that holds one clause
_BEFORE = 16  # characters before a number that may show that it refers ("pursuant to 4.")
_INLINE = re.compile(
    r"(?<=\S)[ \t]+(?=(?:ARTICLE|Article)[ \t]+(?:[IVXLC]+|\d{1,2})\b"
    r"|(?:SECTION|Section)[ \t]+\d{1,3}(?:\.\d{1,3})*\.?[ \t]+[A-Z]"
    r"|\d{1,2}(?:\.\d{1,3}){1,3}\.?[ \t]+[A-Z\"“(]"
    r"|\d{1,2}\.[ \t]+[A-Z\"“]"
    r"|\((?:[a-z]{1,4}|[A-Z]|\d{1,2})\)[ \t]+[A-Z\"“])"
)
_REFERRING = re.compile(
    r"(?:sections?|§+|articles?|clauses?|paragraphs?|subsections?|exhibits?|schedules?|and|or|to|through|of|in|under|with|see|,)"
    r"[ \t]*\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class TextLine:
    """A line with text. ``start`` and ``end`` are the offsets of its stripped text.

    Attributes:
        marker: The clause number it begins with.
        heading: It looks like an unnumbered heading, or the reader said that it is one.
        fresh: It begins a paragraph: after a blank line, a heading or the end of a sentence.
        inline: It is the rest of a longer line from a number within it, and so begins a clause only
            where its number is the very next one.
        isolated: It is a paragraph of its own, between blank lines.
        table: It is a row of a table, where neither numbers nor headings count.
    """

    start: int
    end: int
    text: str
    marker: Marker | None
    heading: bool
    fresh: bool
    inline: bool = False
    isolated: bool = False
    table: bool = False


def is_title_case(text: str) -> bool:
    """Tell whether a short text is set like a heading: its words capitalised but for small ones."""
    words = re.findall(r"[^\W\d_][\w'’\-]*", text)
    if not words or not words[0][0].isupper():
        return False
    return all(word[0].isupper() or word.lower() in _SMALL for word in words)


def is_heading(text: str, isolated: bool = False) -> bool:
    """Tell whether an unnumbered line looks like a heading: short, in capitals or title case, no sentence.

    Args:
        text: The stripped line.
        isolated: It stands between blank lines, and so may end with a full stop.
    """
    if (
        not _SHORTEST <= len(text) <= HEADING
        or len(text.split()) > HEADING_WORDS
        or re.search(r"\S {4,}\S|\t|\||__|\.\.\.|@|: \S", text)
    ):
        return False
    if text.endswith((",", ";", "-", "…")) or len(re.findall(r"\d+", text)) > 1:
        return False
    letters = sum(ch.isalpha() for ch in text)
    if letters < _LETTERS * len(text.replace(" ", "")) or letters < _SHORTEST:
        return False
    body = text.rstrip(" .:")
    if body.isupper():
        return True
    if text.endswith(".") and (not isolated or len(body.split()) > _WITH_STOP):
        return False
    return is_title_case(body) and len(body.split()) <= TITLE_WORDS and "," not in text


def _repeated(rows: list[tuple[int, int, str]]) -> set[str]:
    """Return the lines that recur so often that they are page headers or footers, with ``#`` for their digits."""
    candidates = (text for _, _, text in rows if _RUNNING[0] <= len(text) <= _RUNNING[1] and "__" not in text)
    counts = Counter(re.sub(r"\d+", "#", text) for text in candidates if read_marker(text) is None)
    return {text for text, n in counts.items() if n >= _RECURS}


def _is_repeated(row: str, repeated: set[str]) -> bool:
    return bool(repeated) and re.sub(r"\d+", "#", row) in repeated and read_marker(row) is None


def _contents(rows: list[tuple[int, int, str]]) -> set[int]:
    """Return the indexes of the rows of a table of contents."""
    found = {i for i, (_, _, text) in enumerate(rows) if _TOC_LINE.fullmatch(text)}
    dotted = {i for i in found if "..." in rows[i][2] or ". . ." in rows[i][2]}
    loose: dict[int, bool] = {}  # many titles may look at the same rows

    def entry(j: int) -> bool:
        if j not in loose:
            loose[j] = bool(_TOC_LOOSE.fullmatch(rows[j][2]) or _PAGE.fullmatch(rows[j][2]))
        return loose[j]

    for i, (_, _, text) in enumerate(rows):
        if not _TOC_TITLE.fullmatch(text):
            continue
        found.add(i)
        dotted.add(i)
        last, j = i, i + 1
        while j < len(rows) and j - last <= _WRAPPED and j - i < _TOC_ROWS:
            if j in found or entry(j):
                dotted.update(range(last + 1, j + 1))
                last = j
            j += 1
    dotted |= _announced(rows)
    # A lone "Price    100" is a table row, not a table of contents: ask for neighbours.
    return dotted | {i for i in found if i - 1 in found and i + 1 in found and read_marker(rows[i][2])}


def _announced(rows: list[tuple[int, int, str]]) -> set[int]:
    """Return the rows of a run of short lines near the start that nearly all come again further on.

    That is a table of contents that lost its page numbers, or has them in lines of their own.
    """
    keys = [_title_key(text) for _, _, text in rows]
    last_seen = {key: i for i, key in enumerate(keys) if key}
    found: set[int] = set()
    run: list[int] = []
    for i in range(min(len(rows), max(_EARLY_ROWS, len(rows) // _EARLY_PART)) + 1):
        short = i < len(rows) and len(rows[i][2]) <= _TOC_TITLE_LENGTH and not rows[i][2].endswith((";", ","))
        if short:
            run.append(i)
            continue
        titles = [j for j in run if keys[j] and read_marker(rows[j][2])]
        again = [j for j in titles if last_seen[keys[j]] > run[-1]]
        if len(titles) >= _RECURS and len(again) >= _AGAIN * len(titles):
            found.update(range(titles[0], titles[-1] + 1))
        run = []
    return found


def _title_key(text: str) -> str:
    """Return the words of a line up to its first full stop or page number, without number and case."""
    marker = read_marker(text)
    body = text[marker.length :] if marker else text
    body = re.split(r"\.(?:\s|\.|$)", body.strip(" .:\t"), maxsplit=1)[0]
    return " ".join(re.findall(r"[^\W\d_]+", body.lower())[:6])


def _unmarked(rows: list[tuple[int, int, str]], headings: set[int]) -> tuple[list[tuple[int, int, str]], set[int]]:
    """Return the rows without the signs that mark the headings of Markdown, and where these begin then."""
    marks = [m.end() if start in headings and (m := HEADING_MARK.match(row)) else 0 for start, _, row in rows]
    shifted = {start + mark for (start, _, _), mark in zip(rows, marks, strict=True) if mark}
    return [(a + m, b, row[m:]) for (a, b, row), m in zip(rows, marks, strict=True)], headings | shifted


def _fixed(canonical: CanonicalText) -> tuple[set[int], list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the starts of the reader's own headings, the headers and footers, and the tables."""
    headings = {s.start for s in canonical.segments if s.kind is SegmentKind.HEADING}
    furniture = [(s.start, s.end) for s in canonical.segments if s.kind in (SegmentKind.HEADER, SegmentKind.FOOTER)]
    tables = [(s.start, s.end) for s in canonical.segments if s.kind in (SegmentKind.TABLE, SegmentKind.SHEET)]
    return headings, sorted(furniture), sorted(tables)


class _Within:
    """Tells, for offsets that only grow, whether they lie in one of some ordered stretches."""

    def __init__(self, stretches: list[tuple[int, int]]) -> None:
        self._stretches = stretches
        self._at = 0

    def holds(self, offset: int) -> bool:
        while self._at < len(self._stretches) and self._stretches[self._at][1] <= offset:
            self._at += 1
        return self._at < len(self._stretches) and self._stretches[self._at][0] <= offset


def read_lines(canonical: CanonicalText) -> list[TextLine]:
    """Return the lines that carry the document's own text, in order.

    Page numbers, running headers and the table of contents are left out; they stay in the text, of course,
    and so inside the span of whatever clause surrounds them.
    """
    text = canonical.text
    rows = _rows(text)
    headings, furniture, tables = _fixed(canonical)
    rows, headings = _unmarked(rows, headings)
    repeated, contents = _repeated(rows), _contents(rows)
    in_furniture, in_table = _Within(furniture), _Within(tables)
    lines: list[TextLine] = []
    previous_end = 0
    for i, (start, end, row) in enumerate(rows):
        left_out = i in contents or _PAGE.fullmatch(row) or _is_repeated(row, repeated)
        if in_furniture.holds(start) or left_out:
            continue
        blank = not lines or text.count("\n", previous_end, start) > 1
        follows_blank = i + 1 == len(rows) or text.count("\n", end, rows[i + 1][0]) > 1
        fresh = blank or _closes(lines[-1])
        if in_table.holds(start):
            lines.append(TextLine(start, end, row, None, False, fresh, table=True))
        else:
            lines.extend(_read_row(start, row, fresh, start in headings, blank and follows_blank))
        previous_end = end
    return lines


def _closes(line: TextLine) -> bool:
    """Tell whether a line ends what it says, so that the next may begin something new."""
    if line.table or line.heading or line.text.endswith(_TERMINAL):
        return True
    rest = line.text[line.marker.length :].strip(" .:\t") if line.marker else "x"
    return not rest or (line.marker is not None and is_heading(rest))


def _read_row(start: int, row: str, fresh: bool, own_heading: bool, isolated: bool) -> Iterator[TextLine]:
    """Yield a row, cut before the numbers within it that may begin a clause."""
    cuts = [m.end() for m in _INLINE.finditer(row)] if len(row) > _ONE_CLAUSE else []
    cuts = [c for c in cuts if not _REFERRING.search(row[max(0, c - _BEFORE) : c].rstrip())]
    bounds = [0, *cuts, len(row)]
    for low, high in pairwise(bounds):
        part = row[low:high].rstrip()
        marker = read_marker(part)
        own = own_heading and len(part) < LONGEST_HEADING
        heading = low == 0 and (own or (marker is None and not cuts and is_heading(part, isolated)))
        yield TextLine(
            start + low,
            start + low + len(part),
            part,
            marker,
            heading,
            fresh or low > 0,
            low > 0,
            isolated and low == 0,
        )


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
