"""Denials of a draft ("no change of control provision was found"), cross-checked by search and the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from skills_repo.release_gates import CitationGate
from tasks.asks.names import provisions_named
from tasks.legaltext.fold import straight
from tasks.legaltext.sentences import CONTRACT, sentences
from tasks.legaltext.tokens import terms
from tasks.reconcile.check import CheckJob
from tasks.reconcile.draft_view import DraftView, Sentence
from tasks.reconcile.records import Finding
from tasks.reconcile.support.places import CitedText, numbers_of
from tasks.retrieval.provisions import Provision, catalogue_of, weigh
from tasks.sources.records import Span

_QUOTED = re.compile("“[^”]{0,3000}”")
_TELLING = 2  # words of a topic: one alone stands anywhere
_HITS = 4  # passages of a search that are weighed
_LEAST_WORDS = 4  # of a sentence that may be a provision
_HEADING_WORDS = 8  # a longer heading is a sentence
_BODY = 80  # characters that a clause has beyond its heading: less is a line of a table of contents


class Denial(NamedTuple):
    """A sentence of a draft that calls a topic absent from documents.

    Attributes:
        provision: The kind of clause that the topic is; None for one that the catalogue does not hold.
    """

    sentence: Sentence
    topic: str
    provision: Provision | None
    documents: tuple[str, ...]


@dataclass
class DenialCheck:
    """The denials of drafts against the documents of which they speak."""

    job: CheckJob
    texts: Mapping[str, CitedText]
    _found: dict[tuple[str, str], Span | None] = field(default_factory=dict)

    @cached_property
    def _settings(self) -> CitationGate:
        return self.job.harness.gates.citation

    @cached_property
    def _catalogue(self) -> tuple[Provision, ...]:
        return tuple(p for p in catalogue_of(self.job.harness.knowledge) if p.strong)

    @cached_property
    def _patterns(self) -> list[re.Pattern[str]]:
        return [re.compile(p, re.IGNORECASE) for p in self._settings.denials]

    def check(self, deliverable: str, view: DraftView) -> Iterator[Finding]:
        """Yield a finding for each denial of what a document has."""
        for denial in self._denials(view):
            for document in denial.documents:
                span = self._held(denial, document)
                if span is not None:
                    yield self._finding(deliverable, view, denial, document, span)

    def _denials(self, view: DraftView) -> Iterator[Denial]:
        for sentence in view.sentences:
            text = view.text[sentence.start : sentence.end]
            quoted = [m.span() for m in _QUOTED.finditer(text)]  # what a document denies, the draft does not
            found = [m for p in self._patterns for m in p.finditer(text)]
            topics = [m["topic"] for m in found if not any(a < m.start() < b for a, b in quoted)]
            if not topics or any(numbers_of(c.place) for c in view.citations_within(sentence.start, sentence.end)):
                continue  # a denial with a place shows what it rests on
            documents = self._documents(view, sentence)
            named = {n.provision.name: n.provision for n in provisions_named(" ; ".join(topics), self._catalogue)}
            yield from (Denial(sentence, name, provision, documents) for name, provision in named.items())
            if not named:
                yield from (Denial(sentence, topic.strip(), None, documents) for topic in topics)

    def _documents(self, view: DraftView, sentence: Sentence) -> tuple[str, ...]:
        """Return the documents a denial speaks of: the one cited, named or headed; all where there is but one."""
        near = tuple(d for d in view.cited_near(sentence.start) if d in self.texts)
        return near if near or len(self.texts) > 1 else tuple(self.texts)

    def _held(self, denial: Denial, document: str) -> Span | None:
        key = (denial.topic, document)
        if key not in self._found:
            sought = denial.provision
            if sought is None:
                self._found[key] = self._worded(denial.topic, document)
            else:
                self._found[key] = self._headed(sought, document) or self._drafted(sought, document)
        return self._found[key]

    def _worded(self, topic: str, document: str) -> Span | None:
        """Return a sentence that has nearly all telling words of a topic that is no known kind of clause."""
        wanted = frozenset(terms(topic))
        for start, text, _ in self._passages(topic, document) if len(wanted) >= _TELLING else ():
            for a, b in sentences(text, CONTRACT):
                if len(wanted & frozenset(terms(text[a:b]))) >= self._settings.denial_words * len(wanted):
                    return Span(document=document, start=start + a, end=start + b)
        return None

    def _headed(self, provision: Provision, document: str) -> Span | None:
        """Return a clause whose heading is the name of the provision, and which does not rule it out."""
        for clause in self.texts[document].clauses:
            heading = " ".join(straight(clause.heading).split()).strip(" .:;-").lower()
            if not 0 < len(heading.split()) <= _HEADING_WORDS or clause.end - clause.start < len(heading) + _BODY:
                continue
            text = " ".join(straight(self.texts[document].text[clause.start : clause.end]).split())
            if heading in provision.names and not (provision.denial and provision.denial.search(text)):
                return Span(document=document, start=clause.start, end=clause.end)
        return None

    def _drafted(self, provision: Provision, document: str) -> Span | None:
        """Return the best sentence among what a search gives that is drafted like such a provision."""
        best: tuple[float, Span | None] = (provision.threshold + self._settings.denial_margin, None)
        for start, text, heading in self._passages(provision.name, document):
            for a, b in sentences(text, CONTRACT):
                said = re.sub(r"\s+", " ", straight(text[a:b]))
                if said.count(" ") < _LEAST_WORDS or (provision.denial and provision.denial.search(said)):
                    continue
                weight = weigh(provision, said, heading)
                if weight >= best[0] and (best[1] is None or weight > best[0]):
                    best = (weight, Span(document=document, start=start + a, end=start + b))
        return best[1]

    def _passages(self, topic: str, document: str) -> Iterator[tuple[int, str, str]]:
        if self.job.index is None:
            yield 0, self.texts[document].text, ""
            return
        for hit in self.job.index.search(topic, _HITS, [document]):
            yield hit.span.start, hit.text, hit.heading

    def _finding(self, deliverable: str, view: DraftView, denial: Denial, document: str, span: Span) -> Finding:
        source = self.texts[document]
        shown = " ".join(source.text[span.start : span.end].split())[:160]
        return Finding(
            gate="citation",
            kind="false_denial",
            deliverable=deliverable,
            text=denial.topic,
            start=denial.sentence.start,
            end=denial.sentence.end,
            sentence=view.sentence_text(denial.sentence.start),
            checked=f"{document}{source.where(span.start)} reads like one: “{shown}”.",
            grounding=span,
            remedy="Read it, and report it or say why it is none.",
        )
