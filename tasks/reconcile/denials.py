"""Denials of a draft ("no change of control provision was found"), cross-checked by search and the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from skills_repo.release_gates import CitationGate
from tasks.asks.names import provisions_named
from tasks.legaltext.sentences import CONTRACT, sentences
from tasks.legaltext.tokens import terms
from tasks.reconcile.check import CheckJob
from tasks.reconcile.draft_view import DraftView, Sentence
from tasks.reconcile.records import Finding
from tasks.reconcile.support.places import CitedText, numbers_of
from tasks.reconcile.support.provisions import HeldProvisions
from tasks.retrieval.provisions import Provision
from tasks.sources.records import Span

_QUOTED = re.compile("“[^”]{0,3000}”")
_TELLING = 2  # words of a topic: one alone stands anywhere


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
    provisions: HeldProvisions
    _found: dict[tuple[str, str], Span | None] = field(default_factory=dict)

    @cached_property
    def _settings(self) -> CitationGate:
        return self.job.harness.gates.citation

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
            named = {
                n.provision.name: n.provision for n in provisions_named(" ; ".join(topics), self.provisions.catalogue)
            }
            yield from (Denial(sentence, name, provision, documents) for name, provision in named.items())
            if not named:
                yield from (Denial(sentence, topic.strip(), None, documents) for topic in topics)

    def _documents(self, view: DraftView, sentence: Sentence) -> tuple[str, ...]:
        """Return the documents a denial speaks of: the one cited, named or headed; all where there is but one."""
        near = tuple(d for d in view.cited_near(sentence.start) if d in self.texts)
        return near if near or len(self.texts) > 1 else tuple(self.texts)

    def _held(self, denial: Denial, document: str) -> Span | None:
        if denial.provision is not None:
            return self.provisions.held(denial.provision, document)
        key = (denial.topic, document)
        if key not in self._found:
            self._found[key] = self._worded(denial.topic, document)
        return self._found[key]

    def _worded(self, topic: str, document: str) -> Span | None:
        """Return a sentence that has nearly all telling words of a topic that is no known kind of clause."""
        wanted = frozenset(terms(topic))
        for start, text, _ in self.provisions.passages(topic, document) if len(wanted) >= _TELLING else ():
            for a, b in sentences(text, CONTRACT):
                if len(wanted & frozenset(terms(text[a:b]))) >= self._settings.denial_words * len(wanted):
                    return Span(document=document, start=start + a, end=start + b)
        return None

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
