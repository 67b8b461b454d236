"""Figures that the brief orders: a redline inserts them in place of others, and its note quotes both.

What a redline inserts, and what its note quotes, is compared with what it changed: a figure of the brief in another
clause than the one that the brief speaks of, or words that stand somewhere in the papers, are no instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from tasks.drafting.redlines import bases_of, redlines_of
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.records import Figure
from tasks.legaltext.sentences import sentences
from tasks.legaltext.tokens import terms
from tasks.matter.records import Matter
from tasks.reconcile.changes import ChangedStretch, Changes, changes_of
from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.records import Finding, Grounding
from tasks.sources.records import CanonicalText, Span

_BESIDE = 40  # characters around a figure by which the scanner knows it for one
_FRAGMENT = re.compile("“([^“”]{1,60})”")
_CLAUSES = 3  # lines above a change that say what its clause is about
_BARE = frozenset({"number", "count"})  # kinds of a figure without a unit of its own


class Instructed:
    """The figures of a brief that asks for a redline, and the changes that were made; nothing for other briefs.

    "30 days, not 45" gives the unit once, and a note on the change quotes the words that change without their unit:
    a unit of the brief is held against that of the draft where both are given.
    """

    def __init__(self, matter: Matter, texts: Mapping[str, CanonicalText], drafts: Mapping[str, CanonicalText]) -> None:
        self._matter, self._texts, self._drafts = matter, texts, drafts
        self._redlines = frozenset(redlines_of(matter)) & drafts.keys()

    @cached_property
    def _given(self) -> list[tuple[Figure, str]]:
        """Figures of the brief, each with its sentence."""
        brief = self._matter.instructions
        parts = [(brief[start:end], start, end) for start, end in sentences(brief)]
        return [
            (figure, next((text for text, start, end in parts if start <= figure.start < end), brief))
            for figure in scan_numbers(brief)
        ]

    @cached_property
    def _changes(self) -> dict[str, Changes]:
        bases = {name: self._texts[name].text for name in bases_of(self._matter, self._texts)}
        made = {name: changes_of(self._drafts[name].text, bases) for name in sorted(self._redlines)}
        return {name: changes for name, changes in made.items() if changes is not None}

    def recheck(self, view: DraftView, results: Iterable[Finding]) -> Iterator[Finding | Grounding]:
        """Return the findings; one whose figures are instructed, or quoted from a change, becomes a grounding."""
        for finding in results:
            told = self._told(view, finding) if self._redlines else None
            yield finding if told is None else self._grounding(finding, told)

    def _told(self, view: DraftView, finding: Finding) -> Span | str | None:
        """Return what a figure rests on: a span of the document, or words; None where it rests on nothing."""
        if (changes := self._changes.get(finding.deliverable)) is not None:
            change = changes.at(finding.start, finding.end)
            written = change is not None and self._is_written(view, finding, changes, change)
            return "as the brief instructs" if written else None
        if finding.deliverable in self._redlines:
            return None
        quoted = self._quoted(view, finding)
        return quoted if quoted is not None else "as the brief instructs" if self._is_given(view, finding) else None

    def _is_written(self, view: DraftView, finding: Finding, changes: Changes, change: ChangedStretch) -> bool:
        """Whether the brief speaks of the clause that was changed where it gives each of the figures."""
        low, high = view.line_at(finding.start)
        clause = _words("\n".join((*view.text[:high].splitlines()[-_CLAUSES:], changes.old_words(change))))
        before = {f.value for f in scan_numbers(changes.old_words(change))}
        figures = _figures_at(view.text, finding, low, high)
        return bool(figures) and all(
            any(
                given.value == figure.value
                and _units_agree(given, figure)
                and (clause & (_words(said) - _words(given.text)) or before & {f.value for f in scan_numbers(said)})
                for given, said in self._given
            )
            for figure in figures
        )

    def _is_given(self, view: DraftView, finding: Finding) -> bool:
        figures = _figures_at(view.text, finding, finding.start - _BESIDE, finding.end + _BESIDE)
        return bool(figures) and {f.value for f in figures} <= {given.value for given, _ in self._given}

    def _quoted(self, view: DraftView, finding: Finding) -> Span | str | None:
        """Return where the quoted words were deleted, or that they were inserted; None where no change has them."""
        low, high = view.line_at(finding.start)
        for quote in _FRAGMENT.finditer(view.text, low, high):
            if quote.start() < finding.start and finding.end < quote.end():
                for changes in self._changes.values():
                    gone, came = changes.quoted(quote[1])
                    if gone is not None:
                        return Span(document=changes.document.document, start=gone[0], end=gone[1])
                    if came:
                        return "as the redline has it"
        return None

    def _grounding(self, finding: Finding, told: Span | str) -> Grounding:
        return Grounding(
            deliverable=finding.deliverable,
            start=finding.start,
            end=finding.end,
            text=finding.text,
            sources=(told,) if isinstance(told, Span) else (),
            derivation="" if isinstance(told, Span) else told,
        )


def _figures_at(text: str, finding: Finding, low: int, high: int) -> list[Figure]:
    low = max(0, low)
    found = scan_numbers(text[low:high])
    return [f for f in found if low + f.start < finding.end and finding.start < low + f.end]


def _units_agree(given: Figure, written: Figure) -> bool:
    bare = not given.unit or not written.unit or {given.kind, written.kind} & _BARE
    return bool(bare) or given.unit == written.unit


def _words(text: str) -> set[str]:
    """Return what a text is about: its words without numbers and without common words."""
    return {word for word in terms(text) if word.isalpha()}
