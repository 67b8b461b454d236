"""Figures and dates that stand in no document, but in a rule of law that the same line of the draft cites."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from knowledge_db.law_texts import LawText
from tasks.legaltext.citations.scan import scan_citations
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.records import Figure
from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.law.library import LAW, LawProvision, LawShelf
from tasks.reconcile.records import Finding, Grounding
from tasks.sources.records import Span

_ABOVE = 200  # characters before the line: a rule is quoted over several lines, and cited where the quotation begins


class LawGrounds:
    """Looks up flagged figures, and days of the text or of an amendment, in the law that the knowledge holds.

    It is read only for a draft that cites law.

    Args:
        held: Returns the law that the knowledge holds word for word.
    """

    def __init__(self, held: Callable[[], tuple[LawText, ...]]) -> None:
        self._held = held

    @cached_property
    def _shelf(self) -> LawShelf:
        return LawShelf({}, self._held())

    def recheck(self, view: DraftView, results: Iterable[Finding]) -> Iterator[Finding | Grounding]:
        """Return the findings; one becomes a grounding where a provision cited on its line has its figure or day."""
        lines: dict[tuple[int, int], Sequence[Mapping[object, Span]]] = {}  # many figures stand in one line
        for finding in results:
            line = view.line_at(finding.start)
            if line not in lines:
                lines[line] = self._read(view.text[max(0, line[0] - _ABOVE) : line[1]])
            span = _stated(view.text[finding.start : finding.end], lines[line])
            yield (
                finding
                if span is None
                else Grounding(
                    deliverable=finding.deliverable,
                    start=finding.start,
                    end=finding.end,
                    text=finding.text,
                    sources=(span,),
                )
            )

    def _read(self, words: str) -> Sequence[Mapping[object, Span]]:
        """Return the figures of each provision that some words cite."""
        cited = [m.canonical for m in scan_citations(words) if m.kind in LAW]
        return [self._figures(p) for name in dict.fromkeys(cited) for p in self._shelf.named(name)]

    def _figures(self, provision: LawProvision) -> Mapping[object, Span]:
        text = self._shelf.texts[provision.document].text[provision.start : provision.end]
        at = provision.start
        whole = Span(document=provision.document, start=at, end=provision.end)
        days: dict[object, Span] = {day: whole for day in (provision.as_of, provision.amended) if day}
        return days | {
            _value(f): Span(document=provision.document, start=at + f.start, end=at + f.end) for f in scan_numbers(text)
        }


def _stated(claim: str, cited: Sequence[Mapping[object, Span]]) -> Span | None:
    """Return the place of the provision that has every figure, or every day, of a claim."""
    claimed: set[object] = {d.iso for d in scan_dates(claim)} or {_value(f) for f in scan_numbers(claim)}
    for found in cited:
        if claimed and claimed <= found.keys():
            return found[min(claimed, key=str)]
    return None


def _value(figure: Figure) -> tuple[object, ...]:
    return figure.value, figure.kind, figure.unit
