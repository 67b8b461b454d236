"""Where a document has a kind of clause of the catalogue, and whether a place is such a clause at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tasks.legaltext.fold import straight
from tasks.legaltext.sentences import CONTRACT, sentences
from tasks.legaltext.tokens import terms
from tasks.reconcile.check import CheckJob
from tasks.reconcile.support.places import CitedText, Stretch
from tasks.retrieval.provisions import Provision, catalogue_of, weigh
from tasks.sources.records import Span

_HITS = 4  # passages of a search that are weighed
_LEAST_WORDS = 4  # of a sentence that may be a provision
_HEADING_WORDS = 8  # a longer heading is a sentence
_BODY = 80  # characters that a clause has beyond its heading: less is a line of a table of contents


@dataclass
class HeldProvisions:
    """The kinds of clause that the documents of a matter have."""

    job: CheckJob
    texts: Mapping[str, CitedText]
    _found: dict[tuple[str, str], Span | None] = field(default_factory=dict)

    @cached_property
    def catalogue(self) -> tuple[Provision, ...]:
        """The kinds of clause that are known by their words."""
        return tuple(p for p in catalogue_of(self.job.harness.knowledge) if p.strong)

    @cached_property
    def by_name(self) -> Mapping[str, Provision]:
        """The kinds of clause by each of their names."""
        return {name.lower(): p for p in self.catalogue for name in p.names}

    def held(self, provision: Provision, document: str) -> Span | None:
        """Return the place of a document that is such a clause, by its heading or by its words."""
        key = (provision.name, document)
        if key not in self._found:
            self._found[key] = self._headed(provision, document) or self._drafted(provision, document)
        return self._found[key]

    def passages(self, topic: str, document: str) -> Iterator[tuple[int, str, str]]:
        """Yield what a search for a topic gives of a document: start, text and heading."""
        if self.job.index is None:
            yield 0, self.texts[document].text, ""
            return
        for hit in self.job.index.search(topic, _HITS, [document]):
            yield hit.span.start, hit.text, hit.heading

    def carries(self, provision: Provision, document: str, place: Stretch) -> bool:
        """Say whether a place has anything of such a clause: a cue, or the words of one of its names."""
        source = self.texts[document]
        said = _flat(f"{source.lead_in(place)} {source.text[place.start : place.end]}")
        cues = (*provision.strong, *provision.headings)
        held = frozenset(terms(said))
        return any(p.search(said) for p in cues) or any(frozenset(terms(n)) <= held for n in provision.names)

    def _headed(self, provision: Provision, document: str) -> Span | None:
        """Return a clause whose heading is the name of the provision, and which does not rule it out."""
        for clause in self.texts[document].clauses:
            heading = _flat(clause.heading).strip(" .:;-").lower()
            if not 0 < len(heading.split()) <= _HEADING_WORDS or clause.end - clause.start < len(heading) + _BODY:
                continue
            text = _flat(self.texts[document].text[clause.start : clause.end])
            if heading in provision.names and not (provision.denial and provision.denial.search(text)):
                return Span(document=document, start=clause.start, end=clause.end)
        return None

    def _drafted(self, provision: Provision, document: str) -> Span | None:
        """Return the best sentence among what a search gives that is drafted like such a provision."""
        margin = self.job.harness.gates.citation.denial_margin
        best: tuple[float, Span | None] = (provision.threshold + margin, None)
        for start, text, heading in self.passages(provision.name, document):
            for a, b in sentences(text, CONTRACT):
                said = re.sub(r"\s+", " ", straight(text[a:b]))
                if said.count(" ") < _LEAST_WORDS or (provision.denial and provision.denial.search(said)):
                    continue
                weight = weigh(provision, said, heading)
                if weight >= best[0] and (best[1] is None or weight > best[0]):
                    best = (weight, Span(document=document, start=start + a, end=start + b))
        return best[1]


def _flat(text: str) -> str:
    return " ".join(straight(text).split())
