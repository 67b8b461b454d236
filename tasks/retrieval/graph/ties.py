"""One step in the graph: what the words of a stretch depend on."""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from tasks.retrieval.graph.joined import JoinedDocument, ReferenceTarget
from tasks.retrieval.graph.records import Related, Relation
from tasks.retrieval.graph.references import Reference
from tasks.retrieval.graph.resolving import Resolver
from tasks.sources.records import Span

_HEAD = 600  # characters shown of a document, or around a place, that has no clause
_COMMON = 0.3  # share of clauses above which a term is too common to explain; chosen by eye
_FEW = 12  # uses up to which a term counts as rare in a short document; chosen by eye


class Ties:
    """The ties of a stretch of a document, worked out when they are asked for."""

    def __init__(self, documents: Mapping[str, JoinedDocument], resolver: Resolver) -> None:
        """Take the documents as read, and what finds the targets of their references."""
        self._documents, self._resolver = documents, resolver

    def around(self, span: Span, inbound: bool) -> Iterator[Related]:
        """Yield what a stretch depends on, and with ``inbound`` the clauses that refer to it."""
        document = self._documents.get(span.document)
        if document is None:
            return
        yield from self._referred(document, span)
        yield from self._amendments(document, span)
        yield from self._defined(document, span)
        yield from self._named(document, span)
        if inbound:
            yield from self._referring(document, span)

    def _referred(self, document: JoinedDocument, span: Span) -> Iterator[Related]:
        for ref in _between(document.references, span):
            target = self._resolver.resolve(document, ref)
            if target is None or (target.document == span.document and target.start <= ref.start < target.end):
                continue  # "this Section": the reader is there
            other = f" of {target.document}" if target.document != span.document else ""
            near = "" if target.exact else " (the nearest that could be found)"
            yield self._related(target, "refers", f"{ref.said}{other} referred to{near}")

    def _defined(self, document: JoinedDocument, span: Span) -> Iterator[Related]:
        used = Counter(term for term, _, _ in self._uses(document, span))
        common = self._frequency(document)
        clauses = max(len(document.clauses), 1)
        rare = [t for t in used if common[t] <= max(_FEW, _COMMON * clauses)]
        for term in sorted(rare, key=lambda t: (common[t], t)):
            found = self.definition(document, term)
            if found is not None and not (found.span.document == span.document and _touch(found.span, span)):
                yield found

    def _uses(self, document: JoinedDocument, span: Span) -> Iterator[tuple[str, int, int]]:
        text = document.canonical.text
        yield from document.terms.find(text, span.start, span.end)
        for other in self._resolver.lenders(document):
            book = self._documents[other].terms
            for term, start, end in book.find(text, span.start, span.end):
                if term not in document.definitions:
                    yield term, start, end

    def definition(self, document: JoinedDocument, term: str) -> Related | None:
        """Return the definition of a term as a document uses it: its own, else that of a document it names."""
        here = document.definitions.get(term)
        holder, found = document, here
        if found is None:
            lenders = [
                self._documents[n] for n in self._resolver.lenders(document) if term in self._documents[n].definitions
            ]
            if not lenders:
                return None
            holder = lenders[0]
            found = holder.definitions[term]
        name = holder.canonical.document
        place = holder.book.at(found.start)
        target = ReferenceTarget(name, place, found.start, found.end, True)
        other = "" if holder is document else f", in {name}"
        return self._related(target, "defines", f"defines '{term}' used here{other}")

    def _named(self, document: JoinedDocument, span: Span) -> Iterator[Related]:
        for mention in document.mentions:
            if span.start <= mention.start < span.end:
                target = self._documents[mention.document].canonical.text
                start = len(target) - len(target.lstrip())
                place = ReferenceTarget(mention.document, -1, start, min(len(target), start + _HEAD), True)
                verb = {"amends": "amended or amending", "incorporates": "relied on"}.get(mention.relation, "named")
                reason = f"'{mention.name}' {verb} here"
                yield self._related(place, mention.relation, reason)  # type: ignore[arg-type]

    def _amendments(self, document: JoinedDocument, span: Span) -> Iterator[Related]:
        for source, ref in self._resolver.inbound.get(span.document, ()):
            other = self._documents[source]
            if source == span.document or document.canonical.document not in self._resolver.amended(other):
                continue
            target = self._resolver.resolve(other, ref)
            if target and target.exact and _overlap(target, span):
                yield self._mention(other, ref, "amends", f"{ref.said} amended or affected by {source}")

    def _referring(self, document: JoinedDocument, span: Span) -> Iterator[Related]:
        for source, ref in self._resolver.inbound.get(document.canonical.document, ()):
            other = self._documents[source]
            target = self._resolver.resolve(other, ref)
            outside = source != span.document or not span.start <= ref.start < span.end
            if target and target.exact and outside and _overlap(target, span):
                yield self._mention(other, ref, "referred_from", f"refers to {ref.said}")

    def _mention(self, document: JoinedDocument, ref: Reference, relation: Relation, reason: str) -> Related:
        """Return the clause that holds a reference."""
        place = document.book.at(ref.start)
        start, end = max(0, ref.start - _HEAD // 2), min(len(document.canonical.text), ref.end + _HEAD // 2)
        if place >= 0:
            clause = document.clauses[place]
            start, end = max(clause.start, start), max(ref.end, min(clause.end, end))
        return self._related(ReferenceTarget(document.canonical.document, place, start, end, True), relation, reason)

    def _related(self, target: ReferenceTarget, relation: Relation, reason: str) -> Related:
        clauses = self._documents[target.document].clauses
        return Related(
            span=Span(document=target.document, start=target.start, end=target.end),
            relation=relation,
            reason=reason,
            label=clauses[target.clause].label if target.clause >= 0 else "",
            exact=target.exact,
        )

    def _frequency(self, document: JoinedDocument) -> Counter[str]:
        """Return how often a document uses each of its terms; counted once."""
        name = document.canonical.document
        if name not in self._counts:
            self._counts[name] = Counter(t for t, _, _ in document.terms.find(document.canonical.text))
        return self._counts[name]

    @cached_property
    def _counts(self) -> dict[str, Counter[str]]:
        return {}


def _between(references: Sequence[Reference], span: Span) -> Sequence[Reference]:
    low = bisect.bisect_left(references, span.start, key=lambda ref: ref.start)
    high = bisect.bisect_left(references, span.end, key=lambda ref: ref.start)
    return references[low:high]


def _touch(one: Span, two: Span) -> bool:
    return one.start < two.end and two.start < one.end


def _overlap(target: ReferenceTarget, span: Span) -> bool:
    return target.start < span.end and span.start < target.end
