"""Turns the lines of PDF pages into paragraphs, and keeps running headers and footers out of the flow."""

from __future__ import annotations

import itertools
import re
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from tasks.sources.readers.pdf.hyphens import Hyphens

_LABEL = re.compile(
    r"^(?:\(?(?:[ivxlc]{1,6}|[IVXLC]{1,6}|[a-zA-Z]{1,2}|\d{1,3})[).]|\d{1,3}(?:\.\d{1,3}){1,4}\.?"
    r"|(?:ARTICLE|Article|SECTION|Section|EXHIBIT|Exhibit|SCHEDULE|Schedule|ANNEX|Annex|APPENDIX|Appendix)\s+[\dA-Z]"
    r"|[•▪●■◦·]|WHEREAS|RECITALS|WITNESSETH|NOW,? THEREFORE|IN WITNESS WHEREOF)(?=[\s.:,(“\"]|$)"
)
_REFERENCE = re.compile(
    r"\b(?:sections?|articles?|paragraphs?|clauses?|exhibits?|schedules?|subsections?|rules?|and|or|to|of|in|under|with"
    r"|§|§§|no\.?|item|part|the)$",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.;:!?][\"”’')\]]*$|[;,]?\s(?:and|or)$|,$")
_STOPS = re.compile(r"[.;:!?][\"”’')\]]*$")
_PAGE_NUMBER = re.compile(
    r"^[\[(\-–— ]*(?:page\s*)?(?:[A-Z]{1,3}-?)?(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:of|/)\s*\d{1,4})?[\])\-–—. ]*$",
    re.IGNORECASE,
)


_TAIL = 200  # characters at the end of a paragraph that say how it goes on
# How lines are joined. Lengths in points, where no other unit stands; chosen by eye on printed contracts, not measured.
_FEW_PAGES, _LEAST, _REPEATED = 6, 3, 0.4  # below so many pages half repeat a running line, then 3 and this share
_FULL = 90  # characters of a paragraph that may run over a page without a small letter behind
_PITCHES, _USUAL = (4, 40), 14.0  # from one line to the next; and where a page has a single line
_LOOSE, _SOLID = 1.45, 1.05  # times the pitch: a wider gap parts paragraphs; type set solid, by its height
_RESIZED = 0.25  # of the height of the type, by which a heading differs from its text
_SPACE = 1.5  # characters beside the next word that a full line had no room for
_REACH_LOWER, _REACH = (
    0.6,
    0.72,
)  # of the margin: so far reaches a broken sentence, before a small letter and others
_SENTENCE = 40  # characters below which a line broken early is a heading or an address
_INDENT = 9  # an eighth of an inch


@dataclass(frozen=True)
class PrintedLine:
    """A printed line: its words and where they stand (points from the page's lower left)."""

    text: str
    left: float
    right: float
    baseline: float
    height: float


_NONE: Mapping[int, tuple[int, int]] = MappingProxyType({})
Page = Sequence[PrintedLine]


def _shape(line: PrintedLine) -> str:
    return re.sub(r"\d+", "#", re.sub(r"\s+", " ", line.text)).strip().lower()


def running_lines(pages: Sequence[Page], edge: int = 4) -> set[str]:
    """Return the shapes of lines that stand at the top or foot of most pages."""
    filled = [p for p in pages if p]
    if len(filled) < 2:
        return set()
    counts: Counter[str] = Counter()
    for page in filled:
        margin = [*page[: edge - 1], *page[-edge:]]
        counts.update({_shape(line) for line in margin})
    few = len(filled) < _FEW_PAGES
    needed = max(2, (len(filled) + 1) // 2) if few else max(_LEAST, int(len(filled) * _REPEATED))
    return {shape for shape, n in counts.items() if n >= needed and shape}


def split_running(
    page: Page, running: set[str], edge: int = 4, top: bool = True
) -> tuple[list[PrintedLine], list[PrintedLine]]:
    """Split a page into its flow and its running lines (from the outside in, at the margins only).

    The first page keeps its top: what later pages repeat there is the document's title.
    """
    lines = list(page)
    apart: list[PrintedLine] = []
    for at, budget in ((-1, edge), (0, edge - 1 if top else 0)):
        for _ in range(min(budget, len(lines))):
            line = lines[at]
            if _shape(line) not in running and not _PAGE_NUMBER.match(line.text):
                break
            apart.append(lines.pop(at))
    return lines, apart


class Paragraph:
    """Joined lines; ``starts`` holds (offset in the text, page number) where a page begins inside it.

    The text is kept in pieces: what is joined to it looks at its end alone, and a paragraph may run over all pages.
    """

    def __init__(self, text: str, starts: list[tuple[int, int]], level: int = 0) -> None:
        """Begin with a line; ``level`` is that of a heading."""
        self.level = level
        self.starts = starts
        self._pieces = [text]
        self._length = len(text)

    @property
    def text(self) -> str:
        """The whole text."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0]

    @property
    def tail(self) -> str:
        """The end of the text, long enough to decide how it continues."""
        tail = ""
        for piece in reversed(self._pieces):
            tail = piece[-(_TAIL - len(tail)) :] + tail
            if len(tail) >= _TAIL:
                break
        return tail

    def extend(self, text: str, page: int | None, hyphens: Hyphens) -> None:
        """Join a line; ``page`` is given where it is the first line of that page."""
        tail = self.tail
        joined = hyphens.joined(tail, text)
        cut = 0 if joined.startswith(tail) else 1  # the hyphen of a broken word, which ends the last piece
        self._pieces[-1] = self._pieces[-1][: len(self._pieces[-1]) - cut]
        self._pieces.append(joined[len(tail) - cut :])
        self._length += len(joined) - len(tail)
        if page is not None:
            self.starts.append((self._length - len(text), page))


@dataclass
class Flow:
    """Collects paragraphs over the pages of a document."""

    paragraphs: list[Paragraph]
    hyphens: Hyphens = field(default_factory=lambda: Hyphens(()))
    open: bool = False

    def add_page(self, number: int, lines: Sequence[PrintedLine], heads: Mapping[int, tuple[int, int]] = _NONE) -> None:
        """Append a page's lines, joining its first line to the paragraph before where it runs on.

        ``heads`` gives the level and the first line of each line that belongs to a heading: it stands by itself.
        """
        pitch = _pitch(lines)
        margin = max((line.right for line in lines), default=0.0)
        body_left = _body_left(lines)
        before: PrintedLine | None = None
        for at, line in enumerate(lines):
            level, first = heads.get(at, (0, at))
            if level or at - 1 in heads:
                continues = first < at
            elif before is None:
                continues = self.open and self._runs_on(line)
            else:
                continues = not _breaks(before, line, pitch, margin, body_left)
            if continues:
                self.paragraphs[-1].extend(line.text, number if before is None else None, self.hyphens)
            else:
                page = [(0, number)] if before is None else []
                self.paragraphs.append(Paragraph(line.text, page, level))
            before = line
        if before is None:
            self.paragraphs.append(Paragraph("", [(0, number)]))
        else:
            self.open = True

    def _runs_on(self, line: PrintedLine) -> bool:
        if self.paragraphs[-1].level:
            return False
        last = self.paragraphs[-1].tail
        if not last or (_LABEL.match(line.text) and not _REFERENCE.search(last)):
            return False
        return not _STOPS.search(last) and (
            line.text[:1].islower() or (bool(re.search(r"[,\w]$", last)) and len(last) > _FULL)
        )


def _pitch(lines: Sequence[PrintedLine]) -> float:
    gaps = [a.baseline - b.baseline for a, b in itertools.pairwise(lines)]
    close = [g for g in gaps if _PITCHES[0] < g < _PITCHES[1]]
    return statistics.median_low(close) if close else _USUAL


def _body_left(lines: Sequence[PrintedLine]) -> float:
    lefts = Counter(round(line.left / 3) * 3 for line in lines)
    return float(lefts.most_common(1)[0][0]) if lefts else 0.0


def _breaks(above: PrintedLine, line: PrintedLine, pitch: float, margin: float, body_left: float) -> bool:
    """Tell whether ``line`` starts a new paragraph."""
    gap = above.baseline - line.baseline
    if gap < -2 or gap > _LOOSE * max(pitch, _SOLID * min(above.height, line.height)):
        return True
    if abs(above.height - line.height) > _RESIZED * max(above.height, line.height):
        return True
    first = line.text.split(" ", 1)[0]
    width = (line.right - line.left) / max(len(line.text), 1)
    forced = above.right + (len(first) + _SPACE) * width < margin - 2 * width
    ended = bool(_ENDS.search(above.text))
    if _LABEL.match(line.text):
        return (ended or forced or above.text.isupper()) and not (_REFERENCE.search(above.text) and not forced)
    if forced:
        reach = _REACH_LOWER if line.text[:1].islower() else _REACH
        runs_on = not _STOPS.search(above.text) and above.right > reach * margin and len(above.text) > _SENTENCE
        return not runs_on or above.text.isupper()
    indented = line.left - min(above.left, body_left) > _INDENT
    return indented and bool(_STOPS.search(above.text)) and line.text[:1].isupper()
