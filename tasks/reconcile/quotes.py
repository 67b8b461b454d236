"""Quotations of a draft, verified word for word against the sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz

from skills_repo.release_gates import CitationGate
from tasks.legaltext.fold import FoldedText, fold
from tasks.reconcile.data_quotes import MEDIA, evidence_of
from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.records import Finding, Grounding
from tasks.sources.records import Span

_CURLY = re.compile(r"“([^“”]{8,6000})”")
# The mark that closes one term ("H" mark) opens no quotation.
_STRAIGHT = re.compile(r'(?<![\w"”.,;:!?])"(?=\S)([^"\n]{8,6000})(?<=\S)"(?!\w)')
_BLOCK = re.compile(r"(?m)^> ?(.*(?:\n> ?.*)*)")
_GAP = re.compile(r"\[?(?:…|\.\s?\.\s?\.(?:\s?\.)?|\*\s\*\s\*)\]?|\[[^\[\]]{2,80}\]")
_CASE = re.compile(r"\[(\w)\]")
_WORD = re.compile(r"\w+")
QuoteFinding = Literal["misquoted", "fabricated", "misattributed"]
_REACH = 240  # characters after a quotation in which its citation may stand; chosen by eye
_LONGEST = 600  # characters of a quotation that are looked for: what stands behind them adds time and tells no more
_ALTERED = 70.0  # likeness in per cent from which words are an altered quotation, not words of nobody
_SEARCHED = 40  # altered quotations for which a likeness is sought: the search is slow


@dataclass(frozen=True)
class Quotation:
    """Quoted words of a draft, ``[start, end)`` without the marks."""

    start: int
    end: int
    text: str


@dataclass
class QuoteCheck:
    """Quotations of the drafts against folded sources."""

    sources: Mapping[str, FoldedText]
    settings: CitationGate
    unspanned: Sequence[str] = ()
    searched: int = 0

    def check(self, deliverable: str, view: DraftView) -> Iterator[Grounding | Finding]:
        """Yield a grounding or a finding for each quotation that is long enough to serve as evidence."""
        if view.draft.media == MEDIA:
            for one in evidence_of(view.draft):
                if len(_WORD.findall(one.text)) >= self.settings.quote_minimum_words:
                    yield self._verify(deliverable, view, Quotation(one.start, one.end, one.text), [one.document])
            return
        quotes = list(quotations(view, self.settings.quote_minimum_words))
        for n, quote in enumerate(quotes):
            following = quotes[n + 1].start if n + 1 < len(quotes) else len(view.text)
            cited = cited_by(view, quote, following)
            yield self._verify(deliverable, view, quote, cited)

    def _verify(self, deliverable: str, view: DraftView, quote: Quotation, cited: Sequence[str]) -> Grounding | Finding:
        fragments = _fragments(quote.text)
        for names in (cited, [n for n in self.sources if n not in cited]):
            for name in names:
                spans = self._locate(name, fragments)
                if spans and (name in cited or not cited):
                    return Grounding(
                        deliverable=deliverable, start=quote.start, end=quote.end, text=quote.text, sources=spans
                    )
                if spans:
                    return _flag(
                        deliverable, view, quote, "misattributed",
                        f"The words stand in {name}, not in {', '.join(cited)}.", spans[0], f"Cite {name}.",
                    )  # fmt: skip
        if any(all(f in text for f in fragments) for text in self.unspanned):
            return Grounding(deliverable=deliverable, start=quote.start, end=quote.end, text=quote.text, sources=())
        return self._misquoted(deliverable, view, quote, fragments, cited)

    def _locate(self, name: str, fragments: Sequence[str]) -> tuple[Span, ...]:
        source = self.sources.get(name)
        if source is None:
            return ()
        spans: list[Span] = []
        after = 0
        for fragment in fragments:
            found = source.find(fragment, after)
            if found is None:
                return ()
            spans.append(Span(document=name, start=found[0], end=found[1]))
            after = found[1]
        return tuple(spans)

    def _misquoted(
        self, deliverable: str, view: DraftView, quote: Quotation, fragments: Sequence[str], cited: Sequence[str]
    ) -> Finding:
        """Tell an altered quotation from one that no source resembles."""
        best, place = 0.0, None
        self.searched += 1
        if self.searched <= _SEARCHED:
            needle = max(fragments, key=len)[:_LONGEST]
            for name in [*cited, *(n for n in self.sources if n not in cited)]:
                if name not in self.sources:
                    continue
                alignment = fuzz.partial_ratio_alignment(needle, self.sources[name].folded, score_cutoff=_ALTERED)
                if alignment and alignment.score > best:
                    best = alignment.score
                    start, end = alignment.dest_start, alignment.dest_end
                    place = Span(
                        document=name,
                        start=self.sources[name].original(start),
                        end=self.sources[name].original(max(start, end - 1)) + 1,
                    )
        if place is not None or self.searched > _SEARCHED:
            checked = f"Not verbatim; the nearest passage of {place.document} differs." if place else "Not verbatim."
            return _flag(deliverable, view, quote, "misquoted", checked, place, "Quote the source as it reads.")
        checked = "Compared with every readable document; none holds these words or anything like them."
        remedy = "Strike the quotation or give its source."
        fabricated = len(_WORD.findall(quote.text)) >= self.settings.fabricated_words
        kind: QuoteFinding = "fabricated" if fabricated else "misquoted"
        return _flag(deliverable, view, quote, kind, checked, None, remedy)


def _flag(
    deliverable: str,
    view: DraftView,
    quote: Quotation,
    kind: QuoteFinding,
    checked: str,
    place: Span | None,
    remedy: str,
) -> Finding:
    return Finding(
        gate="citation",
        kind=kind,
        deliverable=deliverable,
        text=quote.text[:400],
        start=quote.start,
        end=quote.end,
        sentence=view.sentence_text(quote.start),
        checked=checked,
        grounding=place,
        remedy=remedy,
    )


def quotations(view: DraftView, shortest: int) -> list[Quotation]:
    """Return the quotations of a draft that are evidence, of ``shortest`` words or more, in reading order."""
    found: dict[int, Quotation] = {}
    taken: list[tuple[int, int]] = []
    for pattern in (_CURLY, _STRAIGHT, _BLOCK):
        for match in pattern.finditer(view.text):
            inside = any(a <= match.start(1) < b for a, b in taken)
            text = match[1].replace("\n> ", "\n").replace("\n>", "\n") if pattern is _BLOCK else match[1]
            if pattern is _BLOCK and any(match.start() <= a < match.end() for a, _ in taken):
                continue
            if inside or len(_WORD.findall(text)) < shortest or view.in_heading(match.start()):
                continue
            if pattern is _BLOCK:
                text = _without_citations(view, match.start(1), match.end(1))
            found[match.start(1)] = Quotation(match.start(1), match.end(1), text)
            taken.append(match.span())
    return [found[start] for start in sorted(found)]


def _without_citations(view: DraftView, start: int, end: int) -> str:
    parts, at = [], start
    for citation in view.citations:
        if start <= citation.start < end:
            parts.append(view.text[at : citation.start])
            at = citation.end
    parts.append(view.text[at:end])
    return " ".join(parts)


def _fragments(quote: str) -> list[str]:
    """Split a quotation at ellipses and bracketed insertions; fold what is left."""
    parts = [fold(part) for part in _GAP.split(_CASE.sub(r"\1", quote))]
    return [p for p in parts if p] or [fold(quote)]


def cited_by(view: DraftView, quote: Quotation, following: int) -> list[str]:
    """Return the documents that a quotation is attributed to: the citation after it, else beside it.

    In a table it is one of the same row: the next row speaks for itself.
    """
    row = view.row_at(quote.end)
    last = min(quote.end + _REACH, following, row[1] if row else following)
    after = [c for c in view.citations if quote.end <= c.start < last or quote.start <= c.start < quote.end]
    if after and "\n\n" not in view.text[quote.end : max(after[0].start, quote.end)]:
        document = after[0].document
        return [document] if document else []
    return list(view.cited_near(quote.start))
