"""The citation gate: quotations, citations of documents and their places, legal authorities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tasks.legaltext.citations.scan import scan_citations
from tasks.legaltext.fold import FoldedText, fold
from tasks.legaltext.records import CitationMention
from tasks.reconcile.check import Check, CheckJob
from tasks.reconcile.denials import DenialCheck
from tasks.reconcile.draft_view import CitedPlace, DraftView
from tasks.reconcile.law.gate import QuotedLaw
from tasks.reconcile.law.library import LAW, same_provision
from tasks.reconcile.law.standing import UncheckedLaw, held_law
from tasks.reconcile.names import DocumentNames, name_part
from tasks.reconcile.quotes import QuoteCheck
from tasks.reconcile.records import Finding, GateCheck, Grounding
from tasks.reconcile.support.gate import Support, cited_texts
from tasks.reconcile.support.places import CitedText
from tasks.reconcile.support.provisions import HeldProvisions
from tasks.sources.records import CanonicalText, MatterState, SegmentKind, Span

_LONGER = re.compile(r"\w|[.:-]\d")  # what follows a citation that is another's beginning
_CELL = re.compile(r"\b([A-Z]{1,3}[0-9]{1,7})\b")
_SHORTEST = 5  # characters up to which the words of a citation stand in any paper; chosen by eye


def check_citations(job: CheckJob) -> GateCheck:
    """Check that quotations are verbatim and that every citation leads somewhere.

    The words of the brief may be quoted, and the authorities of the knowledge count as known.
    """
    names = DocumentNames.of(job.matter, job.state, job.texts)
    known = [fold(job.matter.instructions), *(fold(s) for row in job.pack.authorities for s in _strings(row))]
    quotes = QuoteCheck({n: FoldedText(n, t.text) for n, t in job.texts.items()}, job.harness.gates.citation, known)
    law = QuotedLaw(job.texts, lambda: job.harness.knowledge.law_texts)
    views = {name: DraftView(draft, names) for name, draft in sorted(job.drafts.items())}
    in_drafts = {name: [m for m in scan_citations(view.text) if m.kind in LAW] for name, view in views.items()}
    beside = _beside(job, [m for cited in in_drafts.values() for m in cited])
    authorities = _Authorities(job.texts, job.state, [*job.pack.authorities, *job.pack.windows, *beside], known, law)
    cited_as = cited_texts(job.texts, job.state)
    provisions = HeldProvisions(job, cited_as)
    unchecked = UncheckedLaw(job.pack.authorities, [*job.pack.windows, *beside], job.harness.knowledge.standings)
    marks: list[Finding] = []
    support, denials = Support(job, cited_as, provisions), DenialCheck(job, cited_as, provisions)
    results: list[Grounding | Finding] = []
    for deliverable, view in views.items():
        cited = in_drafts[deliverable]
        quoted = list(law.recheck(view, cited, quotes.check(deliverable, view)))
        placed = [r for c in view.citations if (r := _place(deliverable, view, c, cited_as)) is not None]
        unsupported = list(support.check(deliverable, view, [q for q in quoted if isinstance(q, Grounding)]))
        denied = list(denials.check(deliverable, view))
        results.extend([*quoted, *_carried(placed, [*unsupported, *denied]), *unsupported, *denied])
        resolved = list(authorities.check(deliverable, view, cited))
        results.extend([*resolved, *law.periods(deliverable, view, cited)])
        # A mark is no further check: that the citation leads somewhere is counted already.
        grounded = [(m, r.sources) for m, r in zip(cited, resolved, strict=True) if isinstance(r, Grounding)]
        held = [m for m, sources in grounded if not sources]
        marks.extend(unchecked.marked(deliverable, view, [m for m, _ in grounded], held))
    return GateCheck(
        gate="citation",
        checked=len(results),
        grounded=tuple(r for r in results if isinstance(r, Grounding)),
        findings=(*(r for r in results if isinstance(r, Finding)), *marks),
    )


def _beside(job: CheckJob, cited: Sequence[CitationMention]) -> list[dict[str, Any]]:
    """Return the rows of the catalogue that drafts cite and that the knowledge of the matter does not hold."""
    begun = {row.get("window_id") or row.get("citation") for row in (*job.pack.authorities, *job.pack.windows)}
    rows = held_law(job.harness.knowledge).cited(cited) if cited else []
    return [row for row in rows if (row.get("window_id") or row.get("citation")) not in begun]


def _carried(placed: Sequence[Grounding | Finding], unsupported: Sequence[Finding]) -> Iterator[Grounding | Finding]:
    """Yield the citations, without those whose place does not carry the statement."""
    for result in placed:
        if isinstance(result, Finding) or not any(f.start <= result.start <= f.end + 1 for f in unsupported):
            yield result


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _strings(part)


def _place(
    deliverable: str, view: DraftView, citation: CitedPlace, texts: Mapping[str, CitedText]
) -> Grounding | Finding | None:
    document = citation.document
    if document is None and not name_part(citation.label):
        return None  # "[§ 9.2]" under a heading that names no document: the reader has the context
    if document is None:
        document = _headed_place(view, citation, texts)
    if document is None:
        law = any(m.kind in LAW for m in scan_citations(citation.label))  # it is resolved as an authority
        return None if law or view.names.candidates(citation.label) else _unresolved(deliverable, view, citation)
    text = texts.get(document)
    missing = text.missing(citation.place) if text else ""
    if missing:
        return Finding(
            gate="citation",
            kind="missing_place",
            deliverable=deliverable,
            text=citation.label,
            start=citation.start,
            end=citation.end,
            sentence=view.sentence_text(citation.start),
            checked=f"{document} shows no {missing}.",
            remedy="Check the cited place.",
        )
    spans = (_span(citation, text),) if text else ()
    return Grounding(
        deliverable=deliverable, start=citation.start, end=citation.end, text=citation.label, sources=spans
    )


def _headed_place(view: DraftView, citation: CitedPlace, texts: Mapping[str, CitedText]) -> str | None:
    """Return the document in context whose heading a citation names: "[TERMINATION, p. 5]" below its name."""
    document = view.context(citation.start)
    text = texts.get(document) if document else None
    named = fold(name_part(citation.label))
    return document if text and any(named in fold(c.heading or c.number) for c in text.clauses if named) else None


def _unresolved(deliverable: str, view: DraftView, citation: CitedPlace) -> Finding:
    return Finding(
        gate="citation",
        kind="unresolved_citation",
        deliverable=deliverable,
        text=citation.label,
        start=citation.start,
        end=citation.end,
        sentence=view.sentence_text(citation.start),
        checked="No document of the data room has this name.",
        remedy="Use the name that the data room gives the document.",
    )


def _span(citation: CitedPlace, text: CitedText) -> Span:
    """Return the span of a cited place: the clause, else the cell or page, else the whole document."""
    cell = _CELL.search(citation.place)
    for segment in text.canonical.segments if cell else ():
        if segment.kind is SegmentKind.CELL and cell and segment.label.endswith(f"!{cell[1]}"):
            return Span(document=text.canonical.document, start=segment.start, end=segment.end)
    first = next(iter(text.stretches(citation.place)), None)
    start, end = (first.start, first.end) if first else (0, len(text.text))
    return Span(document=text.canonical.document, start=start, end=end)


class _Authorities:
    """Legal authorities that the matter already knows."""

    def __init__(
        self,
        texts: Mapping[str, CanonicalText],
        state: MatterState,
        rows: Sequence[Mapping[str, Any]],
        known: list[str],
        law: QuotedLaw,
    ) -> None:
        self.texts = texts
        self.law = law
        said = " ; ".join(s for row in rows for s in _strings(row))
        self.known = {m.canonical for m in scan_citations(said)}
        self.known_text = known
        self.cited: dict[str, Span] = {}
        for document in state.documents:
            for mention in document.citations:
                span = Span(document=document.document, start=mention.start, end=mention.end)
                self.cited.setdefault(fold(mention.canonical), span)
        self._folded: list[FoldedText] | None = None

    def check(
        self, deliverable: str, view: DraftView, cited: Iterable[CitationMention]
    ) -> Iterator[Grounding | Finding]:
        """Yield a result for each authority that a draft cites."""
        for mention in cited:
            yield self._resolve(deliverable, view, mention)

    def _resolve(self, deliverable: str, view: DraftView, mention: CitationMention) -> Grounding | Finding:
        span = self.cited.get(fold(mention.canonical)) or self._verbatim(mention.text) or self.law.place(mention)
        missing = self.law.missing(mention)  # a part that a held rule has not is no law, whatever holds the rule
        if span or (not missing and self._is_known(mention)):
            return Grounding(
                deliverable=deliverable,
                start=mention.start,
                end=mention.end,
                text=mention.text,
                sources=(span,) if span else (),
            )
        return Finding(
            gate="citation",
            kind="unresolved_citation",
            deliverable=deliverable,
            text=mention.text,
            start=mention.start,
            end=mention.end,
            sentence=view.sentence_text(mention.start),
            checked=missing or "Neither the data room nor the catalogue of authorities holds this citation.",
            remedy="Verify the authority before relying on it.",
        )

    def _is_known(self, mention: CitationMention) -> bool:
        """Tell whether the brief or the catalogue names the authority, or the section that contains the cited part."""
        if any(same_provision(known, mention.canonical) for known in self.known):
            return True
        return any(
            _whole(key, text) for key in (fold(mention.canonical), fold(mention.text)) for text in self.known_text
        )

    def _verbatim(self, text: str) -> Span | None:
        if self._folded is None:
            self._folded = [FoldedText(n, t.text) for n, t in self.texts.items()]
        key = fold(text)
        for source in self._folded:
            found = source.find(key) if len(key) > _SHORTEST else None
            if found and not _LONGER.match(source.text, found[1]):
                return Span(document=source.document, start=found[0], end=found[1])
        return None


def _whole(key: str, text: str) -> bool:
    """Tell whether folded text has a folded citation that is not the beginning of a longer one (Rule 1 and Rule 12)."""
    at = text.find(key) if key else -1
    while at >= 0:
        if not (key[-1].isdigit() and text[at + len(key) : at + len(key) + 1].isdigit()):
            return True
        at = text.find(key, at + 1)
    return False


GATE = Check(
    name="citation",
    run=check_citations,
    kinds={
        "misquoted": "quotation not in the documents",
        "fabricated": "quotation that nothing in the documents resembles",
        "misattributed": "quotation from another document",
        "unresolved_citation": "citation not resolved",
        "missing_place": "cited place not in the document",
        "unsupported_statement": "the cited place does not carry it",
        "opposite_polarity": "the cited place says the opposite",
        "opposite_direction": "before and after are exchanged",
        "wrong_party": "the cited place names another party",
        "wrong_law": "the cited place names another law",
        "false_denial": "called absent, but the document has it",
        "unchecked_law": "law of the catalogue that was not read in its official text",
    },
)
