"""Denials of a draft ("no change of control provision was found"), cross-checked by search and the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from skills_repo.release_gates import CitationGate
from tasks.asks.names import provisions_named
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.sentences import CONTRACT, sentences
from tasks.legaltext.tokens import terms
from tasks.reconcile.check import CheckJob
from tasks.reconcile.draft_view import DraftView, Sentence
from tasks.reconcile.records import Finding
from tasks.reconcile.support.places import CitedText, Stretch, numbers_of
from tasks.reconcile.support.provisions import HeldProvisions
from tasks.retrieval.provisions import Provision
from tasks.sources.records import Span

_QUOTED = re.compile("“[^”]{0,3000}”")
_DAYS = frozenset({"agreement_date", "effective_date"})  # kinds of answers that are a day
_LABEL = 400  # characters of a line that may tell what it speaks of
_LABELLING = 4  # cells of a row that may tell what it speaks of: the bar before it, its number, its name
_OF_ALL = re.compile(r"(?:any|none|all) of\b|the (?:data room|documents|papers)\b", re.I)
_LISTED = re.compile(r",\s+(?:and\s+|or\s+)?|\s+(?:and|or)\s+")
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
        """Yield a finding for each denial of something that a document contains."""
        for denial in self._denials(view):
            for document in denial.documents:
                span = self._held(denial, document)
                if span is not None and not self._shown(view, denial, span):
                    yield self._finding(deliverable, view, denial, document, span)

    def _denials(self, view: DraftView) -> Iterator[Denial]:
        for sentence in view.sentences:
            text = view.text[sentence.start : sentence.end]
            quoted = [m.span() for m in _QUOTED.finditer(text)]  # what a document denies, the draft does not
            found = [m for p in self._patterns for m in p.finditer(text)]
            own = [m for m in found if not any(a < m.start() < b for a, b in quoted)]
            told = [d for m in own for d in self._denied(view, sentence, m)]
            yield from {(d.topic, d.documents): d for d in told}.values()

    def _denied(self, view: DraftView, sentence: Sentence, match: re.Match[str]) -> Iterator[Denial]:
        """Yield what a sentence denies: each kind of clause that its topic names, else the topic."""
        said = match.groupdict()
        topic = said.get("topic") or self._spoken_of(view, sentence.start + match.start())
        documents = self._named(view, said["documents"]) if said.get("documents") else self._documents(view, sentence)
        named = {n.provision.name: n.provision for n in provisions_named(topic, self.provisions.catalogue)}
        yield from (Denial(sentence, name, provision, documents) for name, provision in named.items())
        if not named and said.get("topic"):
            yield Denial(sentence, topic.strip(), None, documents)

    def _spoken_of(self, view: DraftView, offset: int) -> str:
        """Return what a line is about, as said before a place in it: its label, or the cells of its row."""
        begin, _ = view.line_at(offset)
        line = _QUOTED.sub(" ", view.without_citations(begin, offset))[:_LABEL]
        return " ; ".join(line.split("|")[:_LABELLING]) if "|" in line else line.partition(":")[0]

    def _named(self, view: DraftView, names: str) -> tuple[str, ...]:
        """Return the documents that a denial names; all documents where it says "none of the documents"."""
        if _OF_ALL.match(names):
            return tuple(self.texts)
        found = (view.names.resolve(n.strip(" .")) or "" for n in (names, *_LISTED.split(names)))
        return tuple(dict.fromkeys(d for d in found if d in self.texts))

    def _shown(self, view: DraftView, denial: Denial, span: Span) -> bool:
        """Tell whether a denial cites what it rests on: the clause itself, a page, or a place that denies it too."""
        for cited in view.citations_within(denial.sentence.start, denial.sentence.end):
            if not numbers_of(cited.place) or cited.document not in (span.document, None):
                continue
            source = self.texts[span.document]
            stretches = source.stretches(cited.place)
            own = any(s.start < span.end and span.start < s.end for s in stretches)
            if own or not stretches or any(self._excludes(denial, span.document, s) for s in stretches):
                return True
        return False

    def _excludes(self, denial: Denial, document: str, place: Stretch) -> bool:
        """Tell whether a place denies something, and speaks of what the draft denies."""
        words = set(re.findall(r"[a-z]+", self.texts[document].text[place.start : place.end].lower()))
        if not words & set(self._settings.negations):
            return False
        return denial.provision is None or self.provisions.carries(denial.provision, document, place)

    def _documents(self, view: DraftView, sentence: Sentence) -> tuple[str, ...]:
        """Return the documents that a denial is about: the one cited, named or headed; or the only one."""
        near = tuple(d for d in view.cited_near(sentence.start) if d in self.texts)
        return near if near or len(self.texts) > 1 else tuple(self.texts)

    def _held(self, denial: Denial, document: str) -> Span | None:
        if denial.provision is not None:
            span = self.provisions.held(denial.provision, document)
            return span if span is not None and self._answers(denial.provision, span) else None
        key = (denial.topic, document)
        if key not in self._found:
            self._found[key] = self._worded(denial.topic, document)
        return self._found[key]

    def _answers(self, provision: Provision, span: Span) -> bool:
        """Tell whether a clause gives the answer its kind needs: a day, for a kind that is a date of the document."""
        dated = provision.answer in _DAYS
        return not dated or bool(scan_dates(self.texts[span.document].text[span.start : span.end]))

    def _worded(self, topic: str, document: str) -> Span | None:
        """Return a sentence with nearly all distinctive words of a topic that is no known kind of clause."""
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
