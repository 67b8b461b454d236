"""Mends the paragraphs of converted documents without changing a word.

Filings are often text that was printed to pages and pasted back: a whole page is one paragraph, page numbers
and running footers cut sentences in two, clauses run into each other. Clauses are told apart and sentences
made whole here by changing white space only; page numbers are dropped and running lines moved to the end.
"""

from __future__ import annotations

import bisect
import itertools
import re
import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tasks.legaltext.months import ABBREVIATIONS
from tasks.sources.builder import Reading, placed
from tasks.sources.records import Segment, SegmentKind

_PARAGRAPH = re.compile(r"\S[^\n]*(?:\n(?![ \t]*\n)[^\n]*)*")
_NUMBER = re.compile(r"[-–—\[( ]*(?:page\s+)?(\d{1,3})(?:\s*(?:of|/)\s*\d{1,4})?[-–—\]) .]*", re.IGNORECASE)
_ENDS_IN_NUMBER = re.compile(r"(?<=[^\s\d.,$§#-])\s+[-–—]{0,2}\s?(\d{1,3})\s?[-–—]{0,2}$")
_STARTS_WITH_NUMBER = re.compile(r"(\d{1,3})\s+(?=[a-z(])")
_STOP = re.compile(r"[.;:!?][\"”’')\]]*$|;\s*(?:and|or)$")
_LABEL = re.compile(r"\(?(?:[a-zA-Z]{1,2}|[ivxIVX]{1,5}|\d{1,3})[.)](?:\s|$)|[•▪●■◦·o]\s")
_SIGNATURE = re.compile(r"_{3,}|^(?:by|name|title|its|date|signed|witness|per)\b\s*:", re.IGNORECASE)
_BLANK = re.compile(r"\s*")
_TOP = 300  # characters; a line before it is the title, even where pages repeat it
_PAGE = 250  # characters of a block that may hold what is left of a page; a shorter one is a line or a label; by eye
_TABLES = 5_000  # rows and cells from which a paper is a table, and no sentence of it goes on over a page
_LONG = 400  # characters from which a paragraph is looked at for clauses that run into each other
# What tells page numbers, running lines and wrapped text; all chosen by eye on filings, none measured.
_NESTED = 40  # fixed stretches that are looked at backwards from a block, since they may lie in each other
_COUNTED = 3  # of a kind that show a habit: page numbers that count up, lines that repeat, wrapped lines
_RUNNING = (8, 220)  # characters of a running line: a shorter one is a label, a longer one a paragraph
_SPREAD = 0.4  # of the document, over which a running line repeats; what a single schedule repeats is closer
_FULL = 60  # characters from which a line can be a sentence that the foot of a page cut
_REGULAR = 0.6  # of their mean: the deviation of gaps that come as regularly as pages do
_SENTENCE = 45  # characters below which a block is a heading or a label, which goes on nowhere
_BEFORE = 12  # characters, more than any abbreviation of ``_REFERENCE`` has
_WRAPPED = (50, 100)  # characters of a line of typed text; most have 65 to 80
_RAGGED = 3  # characters by which a full line may miss the width

# A run of blanks is matched whole (``++``) and only from its start: trying every shorter one would square the time.
# Where a clause begins inside a run of text: after the end of a sentence (or a heading in capitals) and
# before a number, a lettered clause with a capital, or the words that open the parts of an agreement.
_AFTER_SENTENCE = r"(?:(?<=[.;:][\"”’)])|(?<=[.;:!?])|(?<=; and)|(?<=; or))[ \t]++"
_AFTER_CAPITALS = r"(?<=[A-Z]{3})[ \t]++"
_NUMBERED = (
    r"(?:(?:ARTICLE|Article|SECTION|Section)\s+(?:[IVXLC]{1,6}|\d{1,2}(?:\.\d{1,2})*)\b[.:]?\s*[-–—]?\s*[\"“]?[A-Z]"
    r"|\d{1,2}(?:\.\d{1,2}){1,3}\.?\s*[\"“(]?[A-Z]"
    r"|\d{1,2}[.)]\s*[\"“(]?[A-Z](?=[A-Za-z]))"
)
_LETTERED = r"(?:\((?:[a-z]{1,2}|[ivx]{1,5}|[A-Z]|\d{1,2})\)\s*[\"“]?[A-Z]|[A-Z]\.\s+[\"“]?[A-Z][a-z])"
_OPENING = (
    r"(?:WHEREAS,?\s|NOW,?\s+THEREFORE|IN WITNESS WHEREOF|W\s?I\s?T\s?N\s?E\s?S\s?S\s?E\s?T\s?H|RECITALS?\b"
    r"|(?:EXHIBIT|SCHEDULE|ANNEX|APPENDIX)\s+[A-Z\d]{1,3}\b|[•●▪■◦]\s?\S)"
)
_SPLIT = re.compile(
    rf"{_AFTER_SENTENCE}(?={_NUMBERED}|{_LETTERED}|{_OPENING})"
    rf"|{_AFTER_CAPITALS}(?=\d{{1,2}}(?:\.\d{{1,2}}){{1,2}}\.?\s+[\"“(]?[A-Z][a-z]|WHEREAS,?\s)"
    rf"|(?<![ \t])[ \t]{{3,}}+(?={_NUMBERED}|{_LETTERED}|{_OPENING})"
    r"|(?<=[A-Z]{4})[ \t]++(?=(?:This|THIS)\s+(?:[A-Z][\w&,'’-]*\s+){1,8}|Preamble\b)"
    r"|(?<=RECITALS)[ \t]+|(?<=WITNESSETH:)[ \t]+"
    r"|(?<=[.;:”\"A-Z])[ \t]{3,}+(?=[A-Z(\d“\"•●])"
)
# Where one of these breaks can stand at all; trying them all at every letter of a contract takes ten times as long.
_GAP = re.compile(r"(?<![ \t])[ \t]++(?=[A-Z\d(“\"•●▪■◦])")
_BEFORE_GAP = frozenset('.;:!?"”’)dr')
# Narrower than the abbreviations of sentences: "… with the SEC." may well end a paragraph.
_REFERENCE = re.compile(
    r"\b(?:Nos?|Secs?|Arts?|Inc|Corp|Co|Ltd|vs?|cf|e\.g|i\.e|U\.S|approx|Rev|Form|St|Dr|Mr|Ms|Mrs|Messrs|Hon|Prof|Jr"
    # the rules of courts, "Fed. R. Civ. P. 12", and what stands before a number or an initial
    r"|\w\. R|(?:Civ|Crim|App|Bankr)\. P|Fed|Civ|Crim|Evid|Bankr|pp?|paras?"
    r"|Cal|Tex|Fla|Ill|Mass|Mich|Minn|Wash|Del|Pa|Va|Wis|Colo|Ariz|Conn|Ind|Kan|Mo|Mont|Nev|Okla|Or|Tenn"
    rf"|{'|'.join(month.title() for month in ABBREVIATIONS)})\.$"
)


@dataclass(frozen=True)
class _Edit:
    """Replaces ``[start, end)`` of the old text."""

    start: int
    end: int
    new: str = ""


@dataclass(frozen=True)
class _Block:
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class _Run:
    """Values that count up: the last one's key, and the run before it."""

    length: int
    key: int
    before: _Run | None

    def keys(self) -> Iterator[int]:
        run: _Run | None = self
        while run is not None and run.length:
            yield run.key
            run = run.before


def reflow(reading: Reading) -> Reading:
    """Return the reading with its paragraphs mended; a document that needs nothing comes back as it is."""
    fixed = _fixed(reading.segments)
    blocks = [b for b in _blocks(reading.text) if not _inside(b, fixed)]
    furniture, running = _furniture(blocks, len(reading.text))
    flow = [b for b in blocks if b.start not in furniture]
    edits = [*_page_numbers(flow), *_joins(flow, fixed, furniture), *_splits(flow), *_unwraps(flow)]
    covered = sorted((e.start, e.end) for e in edits)
    reach = list(itertools.accumulate((end for _, end in covered), max))
    for block in (b for b in blocks if b.start in furniture):
        before = bisect.bisect_left(covered, (block.end, -1))
        if not before or reach[before - 1] <= block.start:
            edits.append(_Edit(block.start, _after(reading.text, block.end)))
    if not edits:
        return reading
    if not any(s.kind is SegmentKind.PAGE for s in reading.segments):
        reading = replace(reading, segments=(*reading.segments, *_printed_pages(blocks, flow, len(reading.text))))
    return _apply(reading, edits, running)


def _fixed(segments: Iterable[Segment]) -> list[tuple[int, int]]:
    """Return the stretches that are not running text, in order."""
    kinds = {SegmentKind.TABLE, SegmentKind.ROW, SegmentKind.SHEET, SegmentKind.HEADER, SegmentKind.FOOTER}
    kinds |= {SegmentKind.FOOTNOTE, SegmentKind.COMMENT, SegmentKind.HEADING}
    return sorted((s.start, s.end) for s in segments if s.kind in kinds)


def _inside(block: _Block, fixed: list[tuple[int, int]]) -> bool:
    at = bisect.bisect_right(fixed, (block.start, len(fixed) and 1 << 60))
    return any(s <= block.start < e for s, e in fixed[max(0, at - _NESTED) : at])


def _blocks(text: str) -> Iterator[_Block]:
    for match in _PARAGRAPH.finditer(text):
        words = match.group().rstrip()
        yield _Block(match.start(), match.start() + len(words), words)


def _after(text: str, end: int) -> int:
    """Return the offset behind the white space that follows."""
    match = _BLANK.match(text, end)
    return match.end() if match else end


def _chain(values: list[tuple[int, int]], least: int, step: int = 1) -> set[int]:
    """Return the keys of the longest run of values that count up by at most ``step``, if it is long enough."""
    none = _Run(0, -1, None)
    best: dict[int, _Run] = {}
    longest = none
    for key, value in values:
        before = max((best.get(value - s, none) for s in range(1, step + 1)), key=lambda run: run.length)
        run = _Run(before.length + 1, key, before)
        if run.length >= best.get(value, none).length:
            best[value] = run
        if run.length > longest.length:
            longest = run
    return set(longest.keys()) if longest.length >= least else set()


def _furniture(blocks: list[_Block], length: int) -> tuple[set[int], list[str]]:
    """Return the starts of page numbers and running lines, and the words of the running lines once each."""
    numbered = [(b.start, int(m.group(1))) for b in blocks if (m := _NUMBER.fullmatch(b.text))]
    found = _chain(numbered, _COUNTED, step=3)
    for above, block, below in zip(blocks, blocks[1:], blocks[2:], strict=False):
        cut = below.text[:1].islower() and not _LABEL.match(below.text) and not _STOP.search(above.text)
        if cut and _NUMBER.fullmatch(block.text):
            found.add(block.start)
    places: dict[str, list[int]] = defaultdict(list)
    for at, block in enumerate(blocks):
        if (
            _RUNNING[0] <= len(block.text) <= _RUNNING[1]
            and not _SIGNATURE.search(block.text)
            and not _LABEL.match(block.text)
        ):
            places[re.sub(r"\d+", "#", block.text.lower())].append(at)
    running = []
    for shape, same in places.items():
        spread = blocks[same[-1]].start - blocks[same[0]].start
        often = len(same) >= _COUNTED and spread > _SPREAD * length
        if often and re.search(r"[a-z]{3}", shape) and _runs(same, blocks, found):
            # At the very top it is the document's title, which later pages repeat.
            found.update(blocks[at].start for at in same if blocks[at].start > _TOP)
            running.append(blocks[same[0]].text)
    return found, running


def _runs(same: list[int], blocks: list[_Block], numbers: set[int]) -> bool:
    """Tell a running line from a heading or an answer that schedules repeat.

    It stands beside a page number, cuts a sentence in two, or comes as regularly as pages do.
    """
    for at in same:
        above = blocks[at - 1] if at else None
        below = blocks[at + 1] if at + 1 < len(blocks) else None
        if any(b is not None and b.start in numbers for b in (above, below)):
            return True
        if above and below and len(above.text) > _FULL and not _STOP.search(above.text) and below.text[:1].islower():
            return True
    gaps = [blocks[b].start - blocks[a].start for a, b in itertools.pairwise(same)]
    return len(gaps) > _COUNTED and statistics.pstdev(gaps) < _REGULAR * statistics.mean(gaps)


def _number_at_end(text: str) -> re.Match[str] | None:
    """Return the page number that was pasted to the end of a page's text."""
    return _ENDS_IN_NUMBER.search(text) if any(c.isdecimal() for c in text[-4:]) else None


def _page_numbers(flow: list[_Block]) -> list[_Edit]:
    """Take out page numbers that were pasted to the end or the start of a page's text."""
    edits = []
    ends = [(i, m) for i, b in enumerate(flow) if len(b.text) > _PAGE and (m := _number_at_end(b.text))]
    chain = _chain([(i, int(m.group(1))) for i, m in ends], _COUNTED)
    for i, match in ends:
        if i in chain:
            edits.append(_Edit(flow[i].start + match.start(), flow[i].end))
    starts = [
        (i, m) for i, b in enumerate(flow) if len(b.text) > 2 * _PAGE and (m := _STARTS_WITH_NUMBER.match(b.text))
    ]
    chain = _chain([(i, int(m.group(1))) for i, m in starts], _COUNTED)
    for i, match in starts:
        if i in chain:
            edits.append(_Edit(flow[i].start, flow[i].start + match.end()))
    return edits


def _printed_pages(blocks: list[_Block], flow: list[_Block], length: int) -> list[Segment]:
    """Return the pages by the numbers printed at their feet, where the format itself knows no pages."""
    alone = [(b.start, b.end, int(m.group(1))) for b in blocks if (m := _NUMBER.fullmatch(b.text))]
    pasted = [
        (b.start + m.start(), b.end, int(m.group(1)))
        for b in flow
        if len(b.text) > _PAGE and (m := _number_at_end(b.text))
    ]
    feet: list[tuple[int, int, int]] = []
    for places in (alone, pasted):
        chain = _chain([(start, value) for start, _, value in places], _COUNTED, step=3)
        kept = [p for p in places if p[0] in chain]
        feet = max(feet, kept, key=len)
    pages = []
    begin = before = 0
    for start, end, number in feet:
        label = f"p. {number}" if number == before + 1 else f"pp. {before + 1}–{number}"
        pages.append(Segment(kind=SegmentKind.PAGE, label=label, start=begin, end=start))
        begin, before = end, number
    # What follows the last number may be one more page, or exhibits that nobody numbered.
    if feet and begin < length and length - begin < 2 * begin / len(feet):
        pages.append(Segment(kind=SegmentKind.PAGE, label=f"p. {before + 1}", start=begin, end=length))
    return pages


def _any_within(places: list[int], start: int, end: int) -> bool:
    """Tell whether one of the sorted places lies in ``[start, end)``."""
    at = bisect.bisect_left(places, start)
    return at < len(places) and places[at] < end


def _joins(flow: list[_Block], fixed: list[tuple[int, int]], furniture: set[int]) -> list[_Edit]:
    """Join a sentence that a page boundary cut in two."""
    edits: list[_Edit] = []
    if len(fixed) >= _TABLES:
        return edits
    places, dropped = [s for s, _ in fixed], sorted(furniture)
    for above, below in itertools.pairwise(flow):
        if _any_within(places, above.end, below.start):
            continue
        if len(above.text) < _SENTENCE or _SIGNATURE.search(above.text) or above.text.isupper():
            continue
        pasted = _number_at_end(above.text) if len(above.text) > _PAGE else None
        said = above.text[: pasted.start()] if pasted else above.text
        apart = below.start - above.end > 2 and _any_within(dropped, above.end, below.start)
        number = _STARTS_WITH_NUMBER.match(below.text)
        opening = below.text[number.end() :] if number else below.text
        if _STOP.search(said) or _LABEL.match(opening):
            continue
        lower = opening[:1].islower()
        cut = apart and len(said) > _PAGE and re.search(r"[a-z,]$", said) and opening[:1].isalpha()
        if lower or (cut and not opening[:40].isupper()):
            edits.append(_Edit(above.end, below.start, " "))
    return edits


def _splits(flow: list[_Block]) -> list[_Edit]:
    """Part the clauses of a paragraph that holds many."""
    edits = []
    for block in flow:
        if len(block.text) < _LONG:
            continue
        for match in _breaks(block.text):
            before = block.text[max(0, match.start() - _BEFORE) : match.start()]
            if "\n" in match.group() or _REFERENCE.search(before):
                continue
            edits.append(_Edit(block.start + match.start(), block.start + match.end(), "\n\n"))
    return edits


def _breaks(text: str) -> Iterator[re.Match[str]]:
    """Yield the places where a clause begins inside a run of text."""
    if "RECITALS" in text or "WITNESSETH:" in text:  # after which anything may begin
        yield from _SPLIT.finditer(text)
        return
    for gap in _GAP.finditer(text):
        start = gap.start()
        before = text[start - 1 : start]
        if before in _BEFORE_GAP or before.isupper() or gap.end() - start > 2:
            match = _SPLIT.match(text, start)
            if match:
                yield match


def _unwraps(flow: list[_Block]) -> list[_Edit]:
    """Join the lines of text that was wrapped at a fixed width: where the next word would not have fitted."""
    edits = []
    for block in flow:
        lines = block.text.split("\n")
        if len(lines) < _COUNTED:
            continue
        width = max(len(line.rstrip()) for line in lines)
        columns = sum(1 for line in lines if re.search(r"\S(?: {3,}|\t)\S", line))
        if not _WRAPPED[0] <= width <= _WRAPPED[1] or columns > len(lines) // _COUNTED:
            continue
        at = block.start
        for above, below in itertools.pairwise(lines):
            word = re.match(r"\s*(\S+)", below)
            full = word is not None and len(above.rstrip()) + 1 + len(word.group(1)) > width - _RAGGED
            if word and full and not (_LABEL.match(below.strip()) and _STOP.search(above.rstrip())):
                hyphen = re.search(r"\w-$", above.rstrip())
                edits.append(
                    _Edit(at + len(above.rstrip()), at + len(above) + 1 + word.start(1), "" if hyphen else " ")
                )
            at += len(above) + 1
    return edits


def _apply(reading: Reading, edits: list[_Edit], running: list[str]) -> Reading:
    """Apply the edits, carry the segments along and mark the paragraphs anew."""
    parts: list[str] = []
    marks: list[tuple[int, int]] = [(0, 0)]  # (old offset, new offset) from which offsets run alike
    old = new = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < old:
            continue
        kept = reading.text[old : edit.start] + edit.new
        parts.append(kept)
        new += len(kept)
        marks.extend([(edit.start, new - len(edit.new)), (edit.end, new)])
        old = edit.end
    parts.append(reading.text[old:])
    text = "".join(parts).rstrip()
    olds = [m[0] for m in marks]

    def moved(offset: int) -> int:
        at = bisect.bisect_right(olds, offset) - 1
        ceiling = marks[at + 1][1] if at + 1 < len(marks) else len(text)
        return min(marks[at][1] + offset - marks[at][0], ceiling, len(text))

    segments = [
        placed(s, moved(s.start), moved(s.end))
        for s in reading.segments
        if not (s.kind is SegmentKind.PARAGRAPH and not s.label)
    ]
    taken = {s.start for s in segments if s.kind is not SegmentKind.PAGE}
    for block in _blocks(text):
        if block.start not in taken:
            segments.append(Segment(kind=SegmentKind.PARAGRAPH, label="", start=block.start, end=block.end))
    for line in running:
        start = len(text) + 2
        text = f"{text}\n\n{line}"
        segments.append(
            Segment(kind=SegmentKind.FOOTER, label="running header or footer", start=start, end=start + len(line))
        )
    segments = [s for s in segments if s.end > s.start]
    segments.sort(key=lambda s: (s.start, -s.end, s.kind))
    return Reading(text + "\n", tuple(segments), reading.problems)
