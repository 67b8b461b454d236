"""The lines of some texts with one number each, for a model that names numbers where others copy words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property

from tasks.legaltext.checklists.records import Evidence
from tasks.legaltext.sentences import DRAFT, sentences


class SentenceNumbering:
    """Numbers the sentences of all texts in one row, from 1; the end of a line ends a sentence, too."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    @cached_property
    def swell(self) -> float:
        """Return how much longer the texts are with its numbers, as a factor."""
        signs = sum(map(len, self._texts.values()))
        marks = sum(len(_mark(n)) for n in range(1, 1 + self.last))
        return 1 + marks / max(1, signs)

    @property
    def last(self) -> int:
        """Return the last number."""
        return sum(len(starts) for _, starts, _ in self._rows.values())

    def shown(self, document: str, start: int, end: int) -> str:
        """Return a stretch of a document with the number of each line before it."""
        first, starts, _ = self._rows[document]
        index = max(0, bisect_right(starts, start) - 1)
        text, made, at = self._texts[document], list[str](), start
        for number, line in enumerate(starts[index:], first + index):
            if line >= end:
                break
            begin = max(line, start)
            made += text[at:begin], _mark(number)
            at = begin
        return "".join([*made, text[at:end]])

    def numbers(self, document: str, start: int, end: int) -> tuple[int, int]:
        """Return the numbers of the first and the last line of a stretch."""
        first, starts, _ = self._rows[document]
        low, high = (first + max(0, bisect_right(starts, at) - 1) for at in (start, max(start, end - 1)))
        return low, high

    def line(self, number: int) -> Evidence | None:
        """Return the line of a number; None where there is none."""
        for name, (first, starts, ends) in self._rows.items():
            if first <= number < first + len(starts):
                start, end = starts[number - first], ends[number - first]
                return Evidence(document=name, start=start, end=end, text=self._texts[name][start:end])
        return None

    @cached_property
    def _rows(self) -> dict[str, tuple[int, list[int], list[int]]]:
        """Return for each document the number of its first line, and where its lines begin and end."""
        found, first = dict[str, tuple[int, list[int], list[int]]](), 1
        for name, text in self._texts.items():
            spans = sentences(text, DRAFT)
            found[name] = first, [start for start, _ in spans], [end for _, end in spans]
            first += len(spans)
        return found


def _mark(number: int) -> str:
    return f"[{number}] "
