"""Figures that the brief instructs: a redline writes them where the document has others, and its note quotes both."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from tasks.drafting.redlines import redlines_of
from tasks.legaltext.fold import FoldedText, fold
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.matter.records import Matter
from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.records import Finding, Grounding
from tasks.sources.records import Span

_BESIDE = 40  # characters around a figure by which the scanner knows it for one
_FRAGMENT = re.compile("“([^“”]{1,60})”")


class Instructed:
    """The figures of a brief that asks for a redline; of another brief none.

    "30 days, not 45" gives the unit once, and a note on the change quotes the words that change without their unit:
    values of the brief are compared without units, and what is quoted is looked up word for word.
    """

    def __init__(self, matter: Matter, texts: Mapping[str, str]) -> None:
        self._asked = bool(redlines_of(matter))
        self._values = {f.value for f in scan_numbers(matter.instructions)} if self._asked else set()
        self._texts = texts

    @cached_property
    def _folded(self) -> list[FoldedText]:
        return [FoldedText(name, text) for name, text in self._texts.items()]

    def recheck(self, view: DraftView, results: Iterable[Finding]) -> Iterator[Finding | Grounding]:
        """Return the findings; one whose figures are instructed, or quoted from a document, becomes a grounding."""
        for finding in results:
            span = self._quoted(view, finding) if self._asked else None
            if span is None and not (self._asked and self._is_given(view, finding)):
                yield finding
                continue
            yield Grounding(
                deliverable=finding.deliverable,
                start=finding.start,
                end=finding.end,
                text=finding.text,
                sources=(span,) if span else (),
                derivation="" if span else "as the brief instructs",
            )

    def _is_given(self, view: DraftView, finding: Finding) -> bool:
        low, high = max(0, finding.start - _BESIDE), finding.end + _BESIDE
        figures = [
            f for f in scan_numbers(view.text[low:high]) if low + f.start < finding.end and finding.start < low + f.end
        ]
        return bool(figures) and {f.value for f in figures} <= self._values

    def _quoted(self, view: DraftView, finding: Finding) -> Span | None:
        low, high = view.line_at(finding.start)
        for quote in _FRAGMENT.finditer(view.text, low, high):
            if quote.start() < finding.start and finding.end < quote.end():
                return self._verbatim(quote[1])
        return None

    def _verbatim(self, words: str) -> Span | None:
        for source in self._folded:
            if found := source.find(fold(words)):
                return Span(document=source.document, start=found[0], end=found[1])
        return None
