"""A document as the runtime reads it: its text, sentences, identity, dates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from knowledge_db import KnowledgeBase
from tasks.drafting.extractive.identity import Identity, identify
from tasks.drafting.extractive.lines import units_of
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight
from tasks.legaltext.records import DateMention
from tasks.retrieval.records import Searcher
from tasks.sources.records import CanonicalText, DocumentState


@dataclass(frozen=True)
class SentencedDocument:
    """One document, cut into sentences once.

    Attributes:
        plain: The sentences with straightened marks, in step with ``units``.
        knowledge: The knowledge whose words are used to read it.
    """

    text: CanonicalText
    identity: Identity
    units: tuple[Unit, ...]
    plain: tuple[str, ...]
    knowledge: KnowledgeBase

    @property
    def document(self) -> str:
        """Return the file name."""
        return self.text.document

    @cached_property
    def dates(self) -> tuple[DateMention, ...]:
        """Return the dates of the document that are exact to the day, in reading order."""
        return tuple(d for d in scan_dates(self.text.text) if d.precision == "day")

    @cached_property
    def starts(self) -> list[int]:
        """Return where each sentence starts."""
        return [u.start for u in self.units]

    def dates_of(self, unit: Unit) -> list[DateMention]:
        """Return the dates within a sentence."""
        first, last = unit.pieces[0][0], unit.pieces[-1][1]
        return [d for d in self.dates if first <= d.start < last]


def read(
    text: CanonicalText, state: DocumentState | None, index: Searcher | None, knowledge: KnowledgeBase
) -> SentencedDocument:
    """Cut a document into sentences, with the clause labels of the index where it knows them."""
    clauses = tuple(index.clauses(text.document)) if index is not None else ()
    units = tuple(units_of(text, clauses))
    identity = identify(text, knowledge.jurisdictions, state)
    return SentencedDocument(text, identity, units, tuple(straight(u.text) for u in units), knowledge)
