"""How much of each document a solver was actually shown.

A read that names a document may return a tenth of it. What counts is canonical text that came back: the stretches that
a runtime tells, the lines that a reader of the LAB kind says it showed, and whatever lines of a result stand in a
document, by whatever tool they came. What came back twice counts once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tasks.legaltext.stretches import joined
from tasks.sources.records import Span
from tasks.tracing import values
from tasks.tracing.records import Served
from tasks.tracing.steps import TracedStep

MAX_COMPARED = 20_000_000  # characters of results that are compared with the documents, of one trace

_WORD = re.compile(r"[^\W_]+")
_TELLING = 16  # letters and digits of a line from which it is known again; a shorter one stands anywhere
_NUMBERED = re.compile(r"^\s*(?:[^\s:]{1,200}:)?\d{1,7}(?:[:→|\t-]|\s{2,})\s*")
_SHOWN = re.compile(r"showing lines (\d{1,9})\s*-\s*(\d{1,9}) of (\d{1,9})")
_PARTS = frozenset({"offset", "limit", "start", "end", "line_start", "line_end", "view_range", "line_count_only"})


@dataclass(frozen=True)
class ServedRoom:
    """The documents of a matter, and their lines where results must be looked into.

    Attributes:
        texts: Canonical text by name of the document.
    """

    texts: Mapping[str, str]

    @cached_property
    def _lines(self) -> Mapping[str, Sequence[Span]]:
        """Where each telling line stands."""
        found: dict[str, list[Span]] = {}
        for name, text in self.texts.items():
            at = 0
            for line in text.split("\n"):
                if key := _key(line):
                    found.setdefault(key, []).append(Span(document=name, start=at, end=at + len(line)))
                at += len(line) + 1
        return found

    def named(self, step: TracedStep) -> tuple[str, ...]:
        """Return the documents that the arguments of a call name, by path or file name."""
        told = "\n".join(values.texts_in(step.arguments))[:_LONGEST_ARGUMENTS].replace("\\ ", " ")
        return tuple(n for n in self.texts if n and n.rsplit("/", 1)[-1] in told and re.search(as_a_name(n), told))

    def told(self, step: TracedStep) -> list[Span]:
        """Return the stretches that the runtime says a step showed."""
        return [s for span in step.served if (s := self._within(span)) is not None]

    def shown(self, step: TracedStep) -> list[Span]:
        """Return the stretches that a result shows; none for a step that failed, wrote or only looked for files."""
        if step.failed or step.looks_only or step.bucket == "write" or not step.result:
            return []
        named = self.named(step)
        if len(named) != 1:
            return self._by_lines(step.result, named)
        if told := _SHOWN.search(step.result[:_PREVIEW]):
            first, last, all_ = (int(number) for number in told.groups())
            return [*self._by_lines(step.result, named), *self._share(named[0], first, last + 1, all_)]
        if step.name in _WHOLE and len(step.result) <= _PREVIEW and not step.arguments.keys() & _PARTS:
            return [Span(document=named[0], start=0, end=len(self.texts[named[0]]))]
        return self._by_lines(step.result, named)

    def _within(self, span: Span) -> Span | None:
        size = len(self.texts.get(span.document, ""))
        return span.model_copy(update={"end": min(span.end, size)}) if span.start < size else None

    def _share(self, name: str, first: int, last: int, all_: int) -> list[Span]:
        """Return lines that another reader counted: its lines are not ours, so they stand for their share of ours."""
        starts = [0, *(match.end() for match in re.finditer("\n", self.texts[name]))]
        if not 0 <= first < last or all_ <= 0:
            return []
        begin, end = (min(len(starts), round(n / all_ * len(starts))) for n in (first, min(last, all_)))
        at = [*starts, len(self.texts[name])]
        return [Span(document=name, start=at[begin], end=at[end])] if at[begin] < at[end] else []

    def _by_lines(self, result: str, named: Sequence[str]) -> list[Span]:
        found = [spans for line in _lines_of(result) if (spans := self._lines.get(line))]
        # A line that stands in several documents tells of the one that was named, or that other lines came from.
        sure = set(named) or {spans[0].document for spans in found if len({s.document for s in spans}) == 1}
        return [span for spans in found for span in spans if span.document in sure]


# Without a range or a header these read all of a document; of what came back a trace may keep the beginning alone.
_WHOLE = frozenset({"read", "read_file", "view_file", "open"})
_PREVIEW = 1_000  # characters of a result in which its header stands, or that are all of it
_LONGEST_ARGUMENTS = 20_000  # characters of a call that are looked through for names of documents


def showings(steps: Sequence[TracedStep], room: ServedRoom) -> dict[int, list[Span]]:
    """Return what each step showed of the documents, by the place of the step; steps that showed nothing are not there.

    A runtime that tells what it showed is believed, and its results, of which a trace keeps the beginning, are not
    looked into. Beyond :data:`MAX_COMPARED` nothing is compared any more: a trace of any length ends in time.
    """
    if any(step.served for step in steps):
        return {at: shown for at, step in enumerate(steps) if (shown := room.told(step))}
    found: dict[int, list[Span]] = {}
    left = MAX_COMPARED
    for at, step in enumerate(steps):
        left -= _effort(step, room)
        if left > 0 and (shown := room.shown(step)):
            found[at] = shown
    return found


def served(shown: Mapping[int, Sequence[Span]], room: ServedRoom) -> tuple[Served, ...]:
    """Return for every document how many of its characters some step showed; what was shown twice counts once."""
    spans: dict[str, list[tuple[int, int]]] = {name: [] for name in room.texts}
    for span in (span for found in shown.values() for span in found):
        spans[span.document].append((span.start, span.end))
    return tuple(_served(name, room, joined(spans[name])) for name in sorted(room.texts))


def too_much(steps: Iterable[TracedStep], room: ServedRoom) -> bool:
    """Whether a trace returned more than is compared with the documents, so that its shares are too low."""
    return sum(_effort(step, room) for step in steps) >= MAX_COMPARED


def _effort(step: TracedStep, room: ServedRoom) -> int:
    return len(step.result) + 2 * len(room.texts)


def _served(name: str, room: ServedRoom, spans: Sequence[tuple[int, int]]) -> Served:
    text = room.texts[name]
    at, total = 0, 0
    for begin, end in spans:
        total += end - begin
        # Short lines between two that were shown were shown with them, and are not known again by themselves.
        if at and not _key_between(text[at:begin]):
            total += begin - at
        at = end
    if spans and not _key_between(text[at:]):
        total += len(text) - at
    if spans and not _key_between(text[: spans[0][0]]):
        total += spans[0][0]
    return Served(document=name, characters=len(text), served=min(total, len(text)))


def _key_between(gap: str) -> bool:
    """Whether a stretch between two that were shown holds a line that would have been known again."""
    return len(gap) > _GAP or any(_key(line) for line in gap.split("\n"))


_GAP = 400  # characters between two lines that were shown: short lines (which have no key) fill no more than this


def _lines_of(result: str) -> Iterator[str]:
    """Yield the telling lines of a result: of text, of numbered text, and of the texts within JSON."""
    parsed = values.from_json(result) if result.lstrip()[:1] in ("{", "[") else None
    for text in values.texts_in(parsed) if parsed is not None else [result]:
        for line in text.split("\n"):
            if key := _key(_NUMBERED.sub("", line, count=1)):
                yield key
            if (whole := _key(line)) and whole != key:
                yield whole


def _key(line: str) -> str:
    """Return the words of a line without marks; empty for a line too short to be known again."""
    words = "".join(_WORD.findall(line.casefold()))
    return words if len(words) >= _TELLING else ""


def as_a_name(name: str) -> str:
    """Return a pattern of a file name as a path or command holds it, never of a part of a longer name."""
    return r"(?<![\w.-])" + re.escape(name.rsplit("/", 1)[-1]) + r"(?![\w-]|\.\w)"
