"""The graph of a matter: clauses, defined terms, parties and documents, and what depends on what.

An answer often stands in two places: the clause that grants and the one that it is "subject to", the sentence that
uses "Change of Control" and the definition, the agreement and its amendment. The graph knows these ties from the
printed words alone; it calls no model, and two runs give the same graph. Building it is linear in the text.

    graph = build_graph(texts, clauses)
    for related in graph.expand(passage.span):
        print(related.reason, related.span)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tasks.retrieval.graph.documents import Shelf, document_card
from tasks.retrieval.graph.joined import JoinedDocument, joined
from tasks.retrieval.graph.records import Dangling, Edge, Related
from tasks.retrieval.graph.references import find_references
from tasks.retrieval.graph.resolving import Resolver
from tasks.retrieval.graph.store import load_references
from tasks.retrieval.graph.ties import Ties
from tasks.retrieval.records import Clause, Passage
from tasks.sources.records import CanonicalText, Span


def build_graph(
    texts: Mapping[str, CanonicalText], clauses: Mapping[str, Sequence[Clause]], cache: Path | None = None
) -> Graph:
    """Build the graph of a matter.

    Args:
        texts: Canonical texts by document name.
        clauses: Clause tree of each, as :func:`tasks.retrieval.clauses.clause_tree` gives it; a document without one
            has no provisions to lead to, its terms and references are read all the same.
        cache: Root of the content-addressed cache; what is read of each document is kept beside its index piece.
            None keeps nothing.
    """
    readings = {name: load_references(texts[name], cache) for name in sorted(texts)}
    shelf = Shelf({name: document_card(name, reading.head) for name, reading in readings.items()})
    documents = {name: joined(texts[name], clauses.get(name, ()), readings[name], shelf) for name in readings}
    return Graph(documents, shelf)


class Graph:
    """The graph that :func:`build_graph` returns."""

    def __init__(self, documents: Mapping[str, JoinedDocument], shelf: Shelf) -> None:
        """Take the documents as read; ties between them are worked out when they are asked for."""
        self._documents = dict(documents)
        self._resolver = Resolver(self._documents, shelf)
        self._ties = Ties(self._documents, self._resolver)

    def expand(self, span: Span, hops: int = 1, limit: int = 40, inbound: bool = False) -> list[Related]:
        """Return what a stretch depends on, nearest first: provisions, then definitions (rare terms first), documents.

        A clause that a document of the matter amends brings the words of the amendment.

        Args:
            span: Any stretch of a document.
            hops: How many steps to follow: 2 gives also what the related stretches depend on.
            limit: At most so many.
            inbound: Add the clauses that refer to the stretch.
        """
        seen: set[tuple[str, int, int]] = {(span.document, span.start, span.end)}
        found: list[Related] = []
        frontier = [span]
        for hop in range(1, max(hops, 1) + 1):
            steps: list[Related] = []
            for place in frontier:
                for related in self._ties.around(place, inbound and hop == 1):
                    key = (related.span.document, related.span.start, related.span.end)
                    if key not in seen and not _within(related.span, span):
                        seen.add(key)
                        steps.append(related.model_copy(update={"hops": hop}) if hop > 1 else related)
            found.extend(steps)
            frontier = [step.span for step in steps]
            if len(found) >= limit:
                break
        return found[:limit]

    def with_related(self, found: Sequence[Passage], characters: int = 3_000, longest: int = 900) -> list[Passage]:
        """Return passages, then what they depend on, each with its reason; the score of these is 0.

        What already stands in a passage is left out, so is what lies beyond the budget.

        Args:
            found: Hits of a search, best first.
            characters: Budget of what is added.
            longest: At most so much of one provision or definition.
        """
        added: list[Passage] = []
        for passage in found:
            for tie in self.expand(passage.span):
                more = self._shown(tie, longest)
                if len(more.text) > characters or any(_within(more.span, p.span) for p in (*found, *added)):
                    continue
                characters -= len(more.text)
                added.append(more)
        return [*found, *added]

    def defined(self, document: str, words: str, longest: int = 900) -> list[Passage]:
        """Return the definitions of those terms of a document that stand in some words, as it uses them."""
        if document not in self._documents:
            return []
        holder = self._documents[document]
        terms = dict.fromkeys(term for term, _, _ in holder.terms.find(words))
        found = (self._ties.definition(holder, term) for term in terms)
        return [self._shown(related, longest) for related in found if related is not None]

    def _shown(self, tie: Related, longest: int) -> Passage:
        end = min(tie.span.end, tie.span.start + longest)
        span = Span(document=tie.span.document, start=tie.span.start, end=end)
        text = self._documents[span.document].canonical.text[span.start : end]
        return Passage(span=span, text=text, score=0.0, label=tie.label, reason=tie.reason)

    def dangling(self) -> list[Dangling]:
        """Return the references to this matter's own provisions and attachments that lead nowhere."""
        lost = []
        for name, document in self._documents.items():
            for ref in document.references:
                if (
                    ref.place != "law"
                    and not self._resolver.foreign_and_absent(document, ref)
                    and not self._resolver.resolve(document, ref)
                ):
                    span = Span(document=name, start=ref.start, end=ref.end)
                    lost.append(Dangling(span=span, said=ref.said, attachment=ref.kind == "attachment"))
        return lost

    def clause_span(self, document: str, label: str) -> Span | None:
        """Return the span of a clause by its citation (``9.2(b)``, ``Article IV``, ``Exhibit A``) or its heading."""
        if document not in self._documents:
            return None
        one = self._documents[document]
        said = label.strip()
        words = [said, f"Section {said.lstrip('§ ')}"] if not said[:1].isalpha() else [said]
        for ref in (ref for text in words for ref in find_references(text)):
            if target := one.book.find(ref, 0):
                return Span(document=document, start=target[1], end=target[2])
        wanted = said.casefold()
        for clause in one.clauses:
            if wanted and wanted in (clause.label.casefold(), clause.heading.casefold()):
                return Span(document=document, start=clause.start, end=clause.end)
        return None

    def definition(self, document: str, term: str) -> Related | None:
        """Return the definition of a term as a document uses it: its own, else that of a document it names."""
        return self._ties.definition(self._documents[document], term) if document in self._documents else None

    def edges(self) -> Iterator[Edge]:
        """Yield every tie, in reading order; definitions once per clause that uses them."""
        for name, document in self._documents.items():
            for start, end in _own_stretches(document):
                source = Span(document=name, start=start, end=end)
                for related in self._ties.around(source, inbound=False):
                    yield Edge(relation=related.relation, source=source, target=related.span, name=related.reason)

    def parties(self) -> dict[str, tuple[str, ...]]:
        """Return the documents of each party, by the telling words of its name."""
        found: dict[str, list[str]] = {}
        for name, document in self._documents.items():
            for party in document.card.parties:
                found.setdefault(party, []).append(name)
        return {party: tuple(names) for party, names in sorted(found.items())}


def _own_stretches(document: JoinedDocument) -> Iterator[tuple[int, int]]:
    """Yield each clause's own words, without those of the clauses below it."""
    bounds = [clause.start for clause in document.clauses]
    yield from zip(bounds, [*bounds[1:], len(document.canonical.text)], strict=True)


def _within(inner: Span, outer: Span) -> bool:
    return inner.document == outer.document and outer.start <= inner.start and inner.end <= outer.end
