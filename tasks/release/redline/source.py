"""The source of a redline: its wording as the reader prints it, and the place of each character in Word's paragraphs.

The reader mends converted filings: it joins lines wrapped at a fixed width, parts clauses that run into each other,
drops page numbers, writes the numbers that Word computes. An editor works on that text, but the changes must be made in
the original paragraphs. So both wordings are matched character by character, ignoring white space.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from tasks.release.redline.runs import text_of
from tasks.release.redline.words import WordChange
from tasks.sources.builder import clean
from tasks.sources.markup import Element, child, local
from tasks.sources.records import CanonicalText, SegmentKind

_BESIDE = re.compile(r"\[(?:Footnote|Endnote|Comment|Header|Footer|Drawing)\b.*\]")
_APART = frozenset({SegmentKind.HEADER, SegmentKind.FOOTER, SegmentKind.FOOTNOTE, SegmentKind.COMMENT})
_NEXT = 6  # paragraphs that a dropped page number or running line may put before a short line
_PROBE, _AHEAD, _LOST = 12, 1200, 60  # signs that must agree again, how far ahead, signs without a place at most


@dataclass(frozen=True)
class WordingLine:
    """A line of the wording, ``[start, end)``; the number that Word computes ends at ``body``.

    Attributes:
        row: The table row that it stands in alone, or None.
        heading: Whether Word has it as a heading.
        beside: Whether it is a note, a header or a footer, which the running text does not hold.
    """

    start: int
    body: int
    end: int
    row: Element | None = None
    heading: bool = False
    beside: bool = False


@dataclass(frozen=True)
class ParagraphStretch:
    """Characters ``[start, end)`` of one Word paragraph."""

    paragraph: int
    start: int
    end: int


@dataclass
class SourceWording:
    """The wording of a document, with the place of each character.

    Attributes:
        text: The wording as the reader prints it.
        paragraphs: Word's paragraphs in reading order, with their words in ``words``.
        where: Index of the paragraph of each character of ``text``, -1 for none; ``at`` is its offset there.
    """

    text: str
    paragraphs: list[Element]
    words: list[str]
    lines: list[WordingLine] = field(default_factory=list)
    where: array[int] = field(default_factory=lambda: array("i"))
    at: array[int] = field(default_factory=lambda: array("i"))

    def body(self, line: WordingLine) -> str:
        """Return a line without the number that Word computes."""
        return self.text[line.body : line.end]

    def deleted(self, start: int, end: int) -> list[ParagraphStretch]:
        """Return the stretches of Word's paragraphs for the characters ``[start, end)``, with the space around."""
        found: list[ParagraphStretch] = []
        for k in range(start, end):
            if self.where[k] < 0:
                continue
            if found and found[-1].paragraph == self.where[k]:
                found[-1] = ParagraphStretch(self.where[k], found[-1].start, self.at[k] + 1)
            else:
                found.append(ParagraphStretch(self.where[k], self.at[k], self.at[k] + 1))
        return [
            self._widened(s, left=n > 0 or self.text[start].isspace(), right=n + 1 < len(found) or self._open(end))
            for n, s in enumerate(found)
        ]

    def _open(self, end: int) -> bool:
        return self.text[end - 1].isspace()

    def _widened(self, stretch: ParagraphStretch, *, left: bool, right: bool) -> ParagraphStretch:
        words, start, end = self.words[stretch.paragraph], stretch.start, stretch.end
        whole = not words[:start].strip() and not words[end:].strip()
        while start and words[start - 1].isspace() and (left or whole):
            start -= 1
        while end < len(words) and words[end].isspace() and (right or whole):
            end += 1
        return ParagraphStretch(stretch.paragraph, start, end)

    def place(self, start: int, new: str) -> ParagraphStretch | None:
        """Return the place in Word's paragraphs for words inserted at ``start`` of the wording."""
        before = next((k for k in range(start - 1, -1, -1) if self.where[k] >= 0), None)
        after = next((k for k in range(start, len(self.text)) if self.where[k] >= 0), None)
        follows = new[:1].isspace() or (start and not self.text[start - 1].isspace())
        if before is not None and (after is None or (follows and not new.endswith("\n"))):
            paragraph, at = self.where[before], self.at[before] + 1
            while new.startswith("\n") and at < len(self.words[paragraph]) and self.words[paragraph][at].isspace():
                at += 1
            return ParagraphStretch(paragraph, at, at)
        return None if after is None else ParagraphStretch(self.where[after], self.at[after], self.at[after])

    def ends_paragraph(self, line: WordingLine) -> bool:
        """Tell whether one of Word's paragraphs ends with the line, outside of tables."""
        found = self.deleted(line.body, line.end)
        return bool(found) and line.row is None and not self.words[found[-1].paragraph][found[-1].end :].strip()

    def covers(self, line: WordingLine) -> list[int]:
        """Return the paragraphs that hold a line and nothing else, in order; empty where one holds more."""
        found = self.deleted(line.body, line.end)
        whole = all(s.start == 0 and s.end == len(self.words[s.paragraph]) for s in found)
        return [s.paragraph for s in found] if whole else []


def open_source(read: CanonicalText, body: Element) -> SourceWording:
    """Match the wording that the reader prints with the paragraphs of the document."""
    paragraphs = list(_paragraphs(body))
    source = SourceWording(read.text, paragraphs, [text_of(p) for p in paragraphs])
    source.where = array("i", [-1]) * len(read.text)
    source.at = array("i", [-1]) * len(read.text)
    signs, owners, offsets = _signs(source.words)
    starts = [n for n, owner in enumerate(owners) if not n or owners[n - 1] != owner]
    headings = {s.start for s in read.segments if s.kind is SegmentKind.HEADING}
    apart = [(s.start, s.end) for s in read.segments if s.kind in _APART]
    reached = 0
    for match in re.finditer(r"[^\n]+", read.text):
        start, end = match.span()
        if not match[0].strip():
            continue
        if _BESIDE.fullmatch(match[0].strip()) or any(a <= start and end <= b for a, b in apart):
            source.lines.append(WordingLine(start, start, end, beside=True))
            continue
        keys = [k for k in range(start, end) if not read.text[k].isspace()]
        found, reached = _follow("".join(read.text[k] for k in keys), signs, starts, reached)
        for k, place in zip(keys, found, strict=True):
            if place >= 0:
                source.where[k], source.at[k] = owners[place], offsets[place]
        first = next((k for k, place in zip(keys, found, strict=True) if place >= 0), start)
        source.lines.append(WordingLine(start, first, end, _row_of(source, first, end), start in headings))
    return source


def _signs(words: Sequence[str]) -> tuple[str, array[int], array[int]]:
    """Return every visible character of the paragraphs in one string, with the paragraph and offset of each."""
    signs: list[str] = []
    owners, offsets = array("i"), array("i")
    for number, text in enumerate(words):
        for at, sign in enumerate(text):
            if not sign.isspace() and (sign.isascii() or clean(sign).strip()):
                signs.append(sign)
                owners.append(number)
                offsets.append(at)
    return "".join(signs), owners, offsets


def _follow(key: str, signs: str, starts: Sequence[int], reached: int) -> tuple[list[int], int]:
    """Return the place of each character of a line, -1 where it has none, and where the next line continues."""
    if signs.startswith(key, reached):
        return list(range(reached, reached + len(key))), reached + len(key)
    if len(key) >= _PROBE:
        near = signs.find(key, reached, reached + len(key) + _AHEAD)
    else:  # a number or a short heading: at the begin of one of the next paragraphs
        first = bisect_left(starts, reached)
        near = next((n for n in starts[first : first + _NEXT] if signs.startswith(key, n)), -1)
    if near >= 0:
        return list(range(near, near + len(key))), near + len(key)
    found, at, lost = [-1] * len(key), reached, 0
    k = 0
    while k < len(key) and lost <= _LOST:
        run = _common(key, k, signs, at)
        bar = key.find("|", k)
        if run and (run >= min(_PROBE, (len(key) if bar < 0 else bar) - k) or (k and found[k - 1] >= 0)):
            found[k : k + run] = range(at, at + run)
            k, at, lost = k + run, at + run, 0
            continue
        probe = key[k : k + _PROBE]
        ahead = signs.find(probe, at, at + _AHEAD) if len(probe) == _PROBE else -1
        if ahead >= 0:
            at = ahead
        else:
            k, lost = k + 1, lost + 1
    return (found, at) if any(f >= 0 for f in found) else (found, reached)


def _common(key: str, k: int, signs: str, at: int) -> int:
    """Return how many characters agree from here on."""
    n = 0
    most = min(len(key) - k, len(signs) - at)
    while n < most and key[k + n] == signs[at + n]:
        n += 1
    return n


def _paragraphs(parent: Element) -> Iterator[Element]:
    """Yield the paragraphs of the running text in reading order."""
    for element in parent:
        name = local(element)
        if name == "p":
            yield element
        elif name in {"tbl", "tr", "tc", "sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"} and not (
            name == "tr" and child(element, "trPr", "del") is not None
        ):
            yield from _paragraphs(element)


def cells_of(row: Element) -> list[Element]:
    """Return the cells of a table row that are its own, not wrapped into a control."""
    return [c for c in row if local(c) == "tc"]


def _above(element: Element, name: str) -> Element | None:
    outer = element.getparent()
    while outer is not None and local(outer) != name:
        outer = outer.getparent()
    return outer


def _row_of(source: SourceWording, start: int, end: int) -> Element | None:
    """Return the table row that a line prints whole, its cells parted by bars."""
    touched = dict.fromkeys(source.where[k] for k in range(start, end) if source.where[k] >= 0)
    rows = {id(r): r for p in touched if (r := _above(source.paragraphs[p], "tr")) is not None}
    if len(rows) != 1 or " | " not in source.text[start:end]:
        return None
    return next(iter(rows.values()))


def split_cells(source: SourceWording, line: WordingLine) -> list[tuple[int, int]]:
    """Return the cells of a table row as characters ``[start, end)`` of the wording."""
    cells, at = [], line.body
    for bar in re.finditer(r" \| ", source.text[line.body : line.end]):
        if source.where[line.body + bar.start() + 1] < 0:
            cells.append((at, line.body + bar.start()))
            at = line.body + bar.end()
    return [*cells, (at, line.end)]


def by_paragraph(
    source: SourceWording, changes: Sequence[WordChange]
) -> tuple[dict[int, list[WordChange]], list[WordChange]]:
    """Return the changes of the wording as changes of Word's paragraphs, and the changes that have no place there."""
    found: dict[int, list[WordChange]] = {}
    lost: list[WordChange] = []
    for change in (_closed(source, c) for c in changes):
        struck = source.deleted(change.start, change.end) if change.end > change.start else []
        if not struck and (place := source.place(change.start, change.new)) is not None and change.new:
            lost += [change] if source.text[change.start : change.end].strip() else []
            struck = [] if lost[-1:] == [change] else [place]
        elif not struck:
            lost.append(change)
        for number, stretch in enumerate(struck):
            new = "" if number else change.new
            found.setdefault(stretch.paragraph, []).append(
                WordChange(stretch.start, stretch.end, new, change.owner, change.like)
            )
    return found, lost


def _closed(source: SourceWording, change: WordChange) -> WordChange:
    """End a new paragraph with its own break if Word's paragraph goes on after the line that it follows."""
    if (
        "\n" not in change.new
        or change.new.endswith("\n")
        or source.text[change.end : change.end + 1] not in {"\n", ""}
    ):
        return change
    last = next((k for k in range(change.end - 1, -1, -1) if source.where[k] >= 0), None)
    goes_on = last is not None and source.words[source.where[last]][source.at[last] + 1 :].strip()
    return replace(change, new=f"{change.new}\n") if goes_on else change
