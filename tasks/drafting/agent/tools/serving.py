"""What of each document a solver has been shown."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from tasks.legaltext.stretches import joined
from tasks.sources.records import CanonicalText, Span

_NUMBER = re.compile(r"^(?:[^:\n]{1,120}:)?\d+[:\t-]\s*")  # what grep and cat put before a line
_LEAST = 12  # characters of a line that stands for its document; shorter ones stand in every one


class Served:
    """Keeps the stretches of the documents that were shown; overlaps count once."""

    def __init__(self, texts: Mapping[str, CanonicalText]) -> None:
        self.texts = texts
        self._shown: dict[str, list[tuple[int, int]]] = {}

    def add(self, spans: Iterable[Span]) -> None:
        """Take note of stretches that were shown."""
        new: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for span in spans:
            new[span.document].append((span.start, span.end))
        for name, found in new.items():
            self._shown[name] = joined([*self._shown.get(name, ()), *found], gap=1)  # the line feed between two lines

    def share(self, name: str) -> float:
        """Return the share of a document's characters that was shown, from 0 to 1."""
        whole = len(self.texts[name].text.rstrip())
        return min(1.0, sum(end - start for start, end in self._shown.get(name, ())) / whole) if whole else 0.0

    def shares(self) -> dict[str, float]:
        """Return the share of each document that was shown at all, by name."""
        return {name: round(self.share(name), 4) for name in sorted(self._shown) if name in self.texts}

    def spans(self) -> dict[str, list[tuple[int, int]]]:
        """Return what was shown, by document."""
        return dict(self._shown)

    def recognised(self, shown: str) -> list[Span]:
        """Return the lines of documents that stand in a text, e.g. in the output of a command.

        A line that occurs more than once in the data room is left out: which one was shown is unknown.
        """
        lines = (line.strip() for line in shown.splitlines())
        found = (self._places.get(line) or self._places.get(_NUMBER.sub("", line)) for line in lines)
        return [span for span in found if span is not None]

    @cached_property
    def _places(self) -> dict[str, Span]:
        found: dict[str, Span | None] = {}
        for name, text in self.texts.items():
            for start, line in _lines(text.text):
                if len(line.strip()) >= _LEAST:
                    span = Span(document=name, start=start, end=start + len(line))
                    found[line.strip()] = span if line.strip() not in found else None
        return {line: span for line, span in found.items() if span is not None}


def _lines(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for line in text.split("\n"):
        yield at, line
        at += len(line) + 1
