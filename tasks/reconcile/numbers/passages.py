"""The literals of one draft with the passages of the sources that they repeat."""

from __future__ import annotations

import bisect
import re
from functools import cached_property

from tasks.legaltext.records import Figure
from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.passages import Literal, PassageIndex, PassageMatch, WordedText, worded

_LINE = re.compile("(?=\n)")
_QUOTING = re.compile(r"[:.–—][ \t]*(?=[“\"])")  # what is quoted does not go on with the words before it
_BARRIER = re.compile(r"[“”\"\[\]|]")


class DraftPassages:
    """Places where a draft repeats the sources word for word, perhaps with another number."""

    def __init__(self, view: DraftView, index: PassageIndex) -> None:
        self._view = view
        self._index = index

    @cached_property
    def literals(self) -> list[tuple[Literal, PassageMatch | None]]:
        """The literals of the draft in order, each with its passage."""
        found: list[tuple[Literal, PassageMatch | None]] = []
        for literal in self._worded.literals:
            match: PassageMatch | None = None
            for barriers in (self._line_ends, self._sentence_ends, self._barriers):
                if match is None or not match.equal:
                    match = self._match_within(literal, barriers) or match
            found.append((literal, match))
        return found

    def of(self, figure: Figure) -> list[tuple[Literal, PassageMatch]]:
        """Return the literals that a figure is made of, where all of them repeat a source passage."""
        at = max(bisect.bisect_right(self._starts, figure.start + 1) - 1, 0)
        found: list[tuple[Literal, PassageMatch]] = []
        for literal, match in self.literals[at : at + 6]:
            if literal.start < figure.end and figure.start < literal.end:
                if match is None:
                    return []
                found.append((literal, match))
        return found

    def unchanged(self, figure: Figure, literal: Literal, match: PassageMatch) -> bool:
        """Return whether the source also has the part of a longer literal that a figure covers."""
        part = worded(self._view.text[max(literal.start, figure.start) : min(literal.end, figure.end)]).literals
        return bool(part) and all(f" {p.form} " in f" {match.form} " for p in part)

    @cached_property
    def _worded(self) -> WordedText:
        return worded(self._view.text)

    @cached_property
    def _starts(self) -> list[int]:
        return [literal.start for literal, _ in self.literals]

    @cached_property
    def _line_ends(self) -> list[int]:
        return sorted(m.end() for p in (_LINE, _QUOTING) for m in p.finditer(self._view.text))

    @cached_property
    def _sentence_ends(self) -> list[int]:
        quoting = {m.end() for m in _QUOTING.finditer(self._view.text)}
        return sorted(quoting | {s.start for s in self._view.sentences} | {s.end for s in self._view.sentences})

    @cached_property
    def _barriers(self) -> list[int]:
        """Offsets that a passage may not cross: sentence ends, quotation marks, brackets, cell borders."""
        return sorted({*self._sentence_ends, *(m.start() for m in _BARRIER.finditer(self._view.text))})

    def _match_within(self, literal: Literal, barriers: list[int]) -> PassageMatch | None:
        starts = self._worded.starts
        at = bisect.bisect_right(barriers, literal.start)
        after = bisect.bisect_left(barriers, literal.end)
        begin = bisect.bisect_left(starts, barriers[at - 1] if at else 0)
        end = bisect.bisect_left(starts, barriers[after]) if after < len(barriers) else len(starts)
        return self._index.match(self._worded, literal, begin, end)
