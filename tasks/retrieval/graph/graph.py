"""The graph of a matter: clauses, defined terms, parties and documents, and what depends on what.

An answer often stands in two places: the clause that grants and the one that it is "subject to", the sentence that
uses "Change of Control" and the definition, the agreement and its amendment. The graph knows these ties from the
printed words alone; it calls no model, and two runs give the same graph. Building it is linear in the text.

    graph = build_graph(texts, clauses)
    for related in graph.expand(passage.span):
        print(related.reason, related.span)
"""

from __future__ import annotations

import bisect
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tasks.retrieval.graph.clauses import ClauseBook
from tasks.retrieval.graph.documents import DocumentCard, DocumentMention, Shelf, aliases_of, document_card
from tasks.retrieval.graph.records import Dangling, Edge, Related, Relation
from tasks.retrieval.graph.references import Reference, find_references
from tasks.retrieval.graph.store import DocumentReferences, load_references
from tasks.retrieval.graph.terms import Definition, TermBook, best_definitions
from tasks.retrieval.records import Clause, Passage
from tasks.sources.records import CanonicalText, Span

_HEAD = 600  # characters shown of a document, or around a place, that has no clause
_COMMON = 0.3  # share of clauses above which a term is too common to explain; chosen by eye
_FEW = 12  # uses up to which a term counts as rare in a short document; chosen by eye
_BEFORE_HEADING = re.compile(r"(?:\A|\n\s*|[.;:]\s+)\Z")
_AFTER_HEADING = re.compile(r"[.:]?\s{1,6}[\"“]?[A-Z]")


@dataclass
class _Document:
    canonical: CanonicalText
    clauses: Sequence[Clause]
    book: ClauseBook
    references: list[Reference]
    definitions: dict[str, Definition]
    terms: TermBook
    card: DocumentCard
    mentions: list[DocumentMention]


@dataclass(frozen=True)
class _Target:
    """The target of a reference."""

    document: str
    clause: int
    start: int
    end: int
    exact: bool


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
    documents = {name: _joined(texts[name], clauses.get(name, ()), readings[name], shelf) for name in readings}
    return Graph(documents, shelf)


def _joined(
    canonical: CanonicalText, clauses: Sequence[Clause], reading: DocumentReferences, shelf: Shelf
) -> _Document:
    book = ClauseBook(canonical.text, clauses)
    text = canonical.text
    references = [ref for ref in reading.references if not _own_number(text, ref, book)]
    found = best_definitions(reading.definitions)
    aliases = aliases_of(text, [(d.term, d.start, d.end) for d in found.values()])
    mentions = shelf.mentions(canonical, aliases) if len(shelf.cards) > 1 else []
    card = shelf.cards[canonical.document]
    return _Document(canonical, clauses, book, references, found, TermBook(found), card, mentions)


def _own_number(text: str, ref: Reference, book: ClauseBook) -> bool:
    """Tell the number that a clause begins with, or that a filing gives an exhibit, from a reference."""
    if ref.word == "exhibit" and ref.start < 300 and ref.number.partition(".")[0].isdigit():
        return True
    if ref.kind == "item" or ref.place:
        return book.heading_at(ref.start)
    begins = _BEFORE_HEADING.search(text[max(0, ref.start - 8) : ref.start]) is not None
    return book.heading_at(ref.start) or (begins and bool(_AFTER_HEADING.match(text, ref.end)))


class Graph:
    """The graph that :func:`build_graph` returns."""

    def __init__(self, documents: Mapping[str, _Document], shelf: Shelf) -> None:
        """Take the documents as read; ties between them are worked out when they are asked for."""
        self._documents = dict(documents)
        self._shelf = shelf

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
                for related in self._around(place, inbound and hop == 1):
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
        found = (self._definition(holder, term) for term in terms)
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
                    and not self._foreign_and_absent(document, ref)
                    and not self._resolve(document, ref)
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
        return self._definition(self._documents[document], term) if document in self._documents else None

    def edges(self) -> Iterator[Edge]:
        """Yield every tie, in reading order; definitions once per clause that uses them."""
        for name, document in self._documents.items():
            for start, end in _own_stretches(document):
                source = Span(document=name, start=start, end=end)
                for related in self._around(source, inbound=False):
                    yield Edge(relation=related.relation, source=source, target=related.span, name=related.reason)

    def parties(self) -> dict[str, tuple[str, ...]]:
        """Return the documents of each party, by the telling words of its name."""
        found: dict[str, list[str]] = {}
        for name, document in self._documents.items():
            for party in document.card.parties:
                found.setdefault(party, []).append(name)
        return {party: tuple(names) for party, names in sorted(found.items())}

    # -- one step ----------------------------------------------------------------------------------------------------

    def _around(self, span: Span, inbound: bool) -> Iterator[Related]:
        document = self._documents.get(span.document)
        if document is None:
            return
        yield from self._referred(document, span)
        yield from self._amendments(document, span)
        yield from self._defined(document, span)
        yield from self._named(document, span)
        if inbound:
            yield from self._referring(document, span)

    def _referred(self, document: _Document, span: Span) -> Iterator[Related]:
        for ref in _between(document.references, span):
            target = self._resolve(document, ref)
            if target is None or (target.document == span.document and target.start <= ref.start < target.end):
                continue  # "this Section": the reader is there
            other = f" of {target.document}" if target.document != span.document else ""
            near = "" if target.exact else " (the nearest that could be found)"
            yield self._related(target, "refers", f"{ref.said}{other} referred to{near}")

    def _defined(self, document: _Document, span: Span) -> Iterator[Related]:
        used = Counter(term for term, _, _ in self._uses(document, span))
        common = self._frequency(document)
        clauses = max(len(document.clauses), 1)
        rare = [t for t in used if common[t] <= max(_FEW, _COMMON * clauses)]
        for term in sorted(rare, key=lambda t: (common[t], t)):
            found = self._definition(document, term)
            if found is not None and not (found.span.document == span.document and _touch(found.span, span)):
                yield found

    def _uses(self, document: _Document, span: Span) -> Iterator[tuple[str, int, int]]:
        text = document.canonical.text
        yield from document.terms.find(text, span.start, span.end)
        for other in self._lenders(document):
            book = self._documents[other].terms
            for term, start, end in book.find(text, span.start, span.end):
                if term not in document.definitions:
                    yield term, start, end

    def _definition(self, document: _Document, term: str) -> Related | None:
        here = document.definitions.get(term)
        holder, found = document, here
        if found is None:
            lenders = [self._documents[n] for n in self._lenders(document) if term in self._documents[n].definitions]
            if not lenders:
                return None
            holder = lenders[0]
            found = holder.definitions[term]
        name = holder.canonical.document
        place = holder.book.at(found.start)
        target = _Target(name, place, found.start, found.end, True)
        other = "" if holder is document else f", in {name}"
        return self._related(target, "defines", f"defines '{term}' used here{other}")

    def _named(self, document: _Document, span: Span) -> Iterator[Related]:
        for mention in document.mentions:
            if span.start <= mention.start < span.end:
                target = self._documents[mention.document].canonical.text
                start = len(target) - len(target.lstrip())
                place = _Target(mention.document, -1, start, min(len(target), start + _HEAD), True)
                verb = {"amends": "amended or amending", "incorporates": "relied on"}.get(mention.relation, "named")
                reason = f"'{mention.name}' {verb} here"
                yield self._related(place, mention.relation, reason)  # type: ignore[arg-type]

    def _amendments(self, document: _Document, span: Span) -> Iterator[Related]:
        for source, ref in self._inbound.get(span.document, ()):
            other = self._documents[source]
            if source == span.document or document.canonical.document not in self._amended(other):
                continue
            target = self._resolve(other, ref)
            if target and target.exact and _overlap(target, span):
                yield self._mention(other, ref, "amends", f"{ref.said} amended or affected by {source}")

    def _referring(self, document: _Document, span: Span) -> Iterator[Related]:
        for source, ref in self._inbound.get(document.canonical.document, ()):
            other = self._documents[source]
            target = self._resolve(other, ref)
            outside = source != span.document or not span.start <= ref.start < span.end
            if target and target.exact and outside and _overlap(target, span):
                yield self._mention(other, ref, "referred_from", f"refers to {ref.said}")

    def _mention(self, document: _Document, ref: Reference, relation: Relation, reason: str) -> Related:
        """Return the clause that holds a reference."""
        place = document.book.at(ref.start)
        start, end = max(0, ref.start - _HEAD // 2), min(len(document.canonical.text), ref.end + _HEAD // 2)
        if place >= 0:
            clause = document.clauses[place]
            start, end = max(clause.start, start), max(ref.end, min(clause.end, end))
        return self._related(_Target(document.canonical.document, place, start, end, True), relation, reason)

    def _related(self, target: _Target, relation: Relation, reason: str) -> Related:
        clauses = self._documents[target.document].clauses
        return Related(
            span=Span(document=target.document, start=target.start, end=target.end),
            relation=relation,
            reason=reason,
            label=clauses[target.clause].label if target.clause >= 0 else "",
            exact=target.exact,
        )

    # -- where references lead ---------------------------------------------------------------------------------------

    def _resolve(self, document: _Document, ref: Reference) -> _Target | None:
        if ref.place == "law":
            return None
        own = document.canonical.document
        places = [own, *self._amended(document)]
        if ref.place == "other":
            named = self._instrument(document, ref)
            if not named:
                return None
            places = [named]
        for name in places:
            other = self._documents[name]
            found = other.book.find(ref, ref.start if name == own else 0)
            if found is not None and not (name == own and found[1] == ref.start):
                return _Target(name, *found)
        if ref.kind == "attachment" and (name := self._shelf.attachment(ref.word, ref.number, own)):
            text = self._documents[name].canonical.text
            return _Target(name, -1, 0, min(len(text), 4 * _HEAD), True)
        return None

    def _instrument(self, document: _Document, ref: Reference) -> str:
        """Return the document that a reference names, itself where it is called by its own title."""
        for mention in document.mentions:
            if ref.end <= mention.start <= ref.end + 90 or mention.name == ref.instrument:
                return mention.document
        title = " ".join(document.card.title.lower().split())
        return document.canonical.document if title and ref.instrument.lower() in title else ""

    def _foreign_and_absent(self, document: _Document, ref: Reference) -> bool:
        """Tell whether a reference is to an instrument outside the matter, which is no error of this matter."""
        return ref.place == "other" and not self._instrument(document, ref)

    def _amended(self, document: _Document) -> tuple[str, ...]:
        found = [m.document for m in document.mentions if m.relation == "amends"]
        return tuple(dict.fromkeys(found))

    def _lenders(self, document: _Document) -> tuple[str, ...]:
        """Return the documents whose definitions a document may use: those it amends, relies on or names."""
        order = {"amends": 0, "incorporates": 1, "names": 2}
        ranked = sorted(document.mentions, key=lambda m: (order[m.relation], m.start))
        return tuple(dict.fromkeys(m.document for m in ranked))

    @cached_property
    def _inbound(self) -> dict[str, list[tuple[str, Reference]]]:
        """References by the document that they lead to."""
        found: dict[str, list[tuple[str, Reference]]] = {}
        for name, document in self._documents.items():
            for ref in document.references:
                if target := self._resolve(document, ref):
                    found.setdefault(target.document, []).append((name, ref))
        return found

    def _frequency(self, document: _Document) -> Counter[str]:
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


def _own_stretches(document: _Document) -> Iterator[tuple[int, int]]:
    """Yield each clause's own words, without those of the clauses below it."""
    bounds = [clause.start for clause in document.clauses]
    yield from zip(bounds, [*bounds[1:], len(document.canonical.text)], strict=True)


def _within(inner: Span, outer: Span) -> bool:
    return inner.document == outer.document and outer.start <= inner.start and inner.end <= outer.end


def _touch(one: Span, two: Span) -> bool:
    return one.start < two.end and two.start < one.end


def _overlap(target: _Target, span: Span) -> bool:
    return target.start < span.end and span.start < target.end
