"""Builds canonical text piece by piece, so that every anchor is exact."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tasks.matter.failures import Failure, FailureCause
from tasks.sources.records import Segment, SegmentKind

# Invisible characters that hide text from a reader's eye or from a search: zero-width,
# soft hyphen, bidirectional controls, tag characters, and the C0/C1 controls.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]"
)
_HOSTILE = re.compile("[\u200b\u200c\u202a-\u202e\u2060\u2066-\u2069\U000e0000-\U000e007f]")
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_NEWLINES = re.compile("\r\n?|[\u0085\u2028\u2029\v]")
_BETWEEN_DIGITS = re.compile("(?<=\\d)\u00ad(?=\\d)")  # a soft hyphen that parts figures is a real one: NY 10003-1502
# Anything that the three patterns above change, or a form feed: most blocks of text hold none of it.
_UNCLEAN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2028\u2029]"
)
LONGEST_HEADING = 300  # characters; a longer paragraph in the style of a heading is prose that was set in it
LABEL = 120  # characters of a heading by which its place is named
MAX_PLACES = 600_000  # paragraphs, rows and cells with a place of their own
MAX_CHARACTERS = 8_000_000  # some four thousand pages; what is scanned and indexed grows with it


def clean(text: str) -> str:
    """Return text with one kind of line end and of space, without invisible characters."""
    if _UNCLEAN.search(text) is None:
        return text
    text = _BETWEEN_DIGITS.sub("-", _NEWLINES.sub("\n", text))
    return _INVISIBLE.sub("", _SPACES.sub(" ", text))


def problem(cause: FailureCause, message: str, remedy: str = "", subject: str = "") -> Failure:
    """Make a failure of this stage; an empty subject stands for the document itself."""
    return Failure(cause=cause, stage="sources", subject=subject, message=message, remedy=remedy)


def placed(segment: Segment, start: int, end: int) -> Segment:
    """Return a segment at another place (the same object where nothing moves: documents have thousands)."""
    if segment.start == start and segment.end == end:
        return segment
    return Segment(kind=segment.kind, label=segment.label, start=start, end=end, level=segment.level)


@dataclass(frozen=True)
class Reading:
    """The result of reading a document."""

    text: str
    segments: tuple[Segment, ...] = ()
    problems: tuple[Failure, ...] = ()


@dataclass
class TextBuilder:
    """Collects cleaned text, nested segments and problems.

    A form feed in written text stands for a page boundary: it is taken out and remembered.
    """

    _parts: list[str] = field(default_factory=list)
    _length: int = 0
    _segments: list[Segment] = field(default_factory=list)
    _problems: list[Failure] = field(default_factory=list)
    _breaks: list[int] = field(default_factory=list)
    _hidden: int = 0
    _tail: str = ""
    _cut: bool = False
    _crowded: bool = False

    @property
    def full(self) -> bool:
        """Whether the text is full: readers of long documents then stop."""
        return self._length >= MAX_CHARACTERS

    @property
    def cut(self) -> bool:
        """Whether text was already left out, which a problem will report: readers may stop."""
        return self._cut or self._crowded

    @property
    def offset(self) -> int:
        """Characters written so far."""
        return self._length

    def write(self, text: str) -> None:
        """Append text as it is, cleaned."""
        if len(text) > MAX_CHARACTERS:
            text, self._cut = text[:MAX_CHARACTERS], True
        if _UNCLEAN.search(text) is None:
            self._append(text)
            return
        self._hidden += len(_HOSTILE.findall(text))
        pieces = clean(text).split("\f")
        for number, piece in enumerate(pieces):
            if number:
                self._breaks.append(self._length)
            self._append(piece)

    def _append(self, text: str) -> None:
        room = MAX_CHARACTERS - self._length
        if len(text) > room:
            text, self._cut = text[:room], True
        if text:
            self._parts.append(text)
            self._length += len(text)
            self._tail = (self._tail + text[-2:])[-2:]

    def gap(self, lines: int = 2) -> None:
        """End the current line so that at least ``lines`` line feeds separate what follows."""
        if self._length:
            have = len(self._tail) - len(self._tail.rstrip("\n"))
            if have < lines:
                self.write("\n" * (lines - have))

    @contextmanager
    def segment(self, kind: SegmentKind, label: str) -> Iterator[None]:
        """Mark what is written inside; an empty stretch leaves no segment."""
        start = self._length
        yield
        self.mark(kind, label, start, self._length)

    def mark(self, kind: SegmentKind, label: str, start: int, end: int, level: int = 0) -> None:
        """Record a segment; an empty stretch leaves none."""
        if end > start and len(self._segments) >= MAX_PLACES and kind is SegmentKind.PARAGRAPH:
            self._crowded = True
        elif end > start:
            label = clean(label).replace("\f", " ").strip()
            self._segments.append(Segment(kind=kind, label=label, start=start, end=end, level=level))

    def block(
        self, text: str, kind: SegmentKind = SegmentKind.PARAGRAPH, label: str = "", gap: int = 2, level: int = 0
    ) -> None:
        """Write one paragraph-like block on lines of its own; ``level`` is that of a heading."""
        if not text.strip("\n "):
            if "\f" in text:
                self._breaks.append(self._length)
            return
        self.gap(gap)
        start = self._length
        self.write(text.strip("\n "))
        self.mark(kind, label, start, self._length, level)

    def fail(self, cause: FailureCause, message: str, remedy: str = "", subject: str = "") -> None:
        """Record a problem of the document."""
        self._problems.append(problem(cause, message, remedy, subject))

    def splice(self, reading: Reading, subject: str) -> None:
        """Append another document's reading (an attachment) with its segments and problems."""
        base = self._length
        self._append(reading.text)
        self._segments += [placed(s, s.start + base, s.end + base) for s in reading.segments]
        for item in reading.problems:
            inner = f"{subject}: {item.subject}" if item.subject else subject
            self._problems.append(item.model_copy(update={"subject": inner}))

    def pages(self, first: int = 1) -> None:
        """Turn the remembered page boundaries into page segments, if there were any."""
        if not self._breaks:
            return
        edges = [0, *self._breaks, self._length]
        for number, (start, end) in enumerate(itertools.pairwise(edges), start=first):
            self.mark(SegmentKind.PAGE, f"p. {number}", start, end)

    def build(self) -> Reading:
        """Return the reading, segments ordered by start and then the wider first."""
        text = "".join(self._parts)
        if self._cut:
            self.fail(FailureCause.CAPACITY, f"Only the first {MAX_CHARACTERS} characters were kept.", "Split it.")
        if self._crowded:
            message = f"Only the first {MAX_PLACES} paragraphs, rows and cells were kept."
            self.fail(FailureCause.CAPACITY, message, "Split it.")
        if self._hidden:
            self.fail(
                FailureCause.POLICY,
                f"{self._hidden} invisible or text-reversing characters were removed from the text.",
                "Look at the original if its exact characters matter.",
            )
        end = len(text.rstrip())
        kept = [placed(s, s.start, min(s.end, end)) for s in self._segments if s.start < end]
        kept.sort(key=lambda s: (s.start, -s.end, s.kind))
        return Reading(text[:end] + "\n" if end else "", tuple(kept), tuple(self._problems))
