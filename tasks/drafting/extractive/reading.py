"""A document as the runtime reads it: its text, sentences, identity, dates."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from knowledge_db import KnowledgeBase
from tasks.drafting.extractive.identity import Identity, identify
from tasks.drafting.extractive.lines import units_of
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight
from tasks.legaltext.records import DateMention
from tasks.retrieval.records import Clause, Searcher
from tasks.sources.records import CanonicalText, DocumentState

SENTENCES: Final = 150_000
"""Sentences of documents that a process remembers: those of a hundred contracts, at two kilobytes each."""


@dataclass(frozen=True, eq=False)
class SentencedDocument:
    """One document, cut into sentences once.

    It is equal to itself alone, so that what is made of it can be found by it. Harness versions that part in their
    provisions alone read a document alike and share it: nothing of it may rest on a provision.

    Attributes:
        plain: The sentences with straightened marks, in step with ``units``.
        knowledge: The knowledge whose words are used to read it; its provisions may be those of another version.
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


@dataclass(frozen=True)
class _Read:
    """A reading with what it was made of."""

    state: DocumentState | None
    clauses: tuple[Clause, ...]
    reading: SentencedDocument

    def serves(self, text: CanonicalText, state: DocumentState | None, clauses: tuple[Clause, ...]) -> bool:
        """Tell whether reading these inputs again would give the same."""
        return self.reading.text == text and self.state == state and self.clauses == clauses


class _Remembered:
    """Readings of a process, those asked for last: a matter run again under another harness asks for them again."""

    def __init__(self, most: int) -> None:
        self._most, self._held = most, 0
        self._kept: OrderedDict[tuple[object, ...], _Read] = OrderedDict()

    def get(self, key: tuple[object, ...]) -> _Read | None:
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def keep(self, key: tuple[object, ...], read: _Read) -> None:
        before = self._kept.pop(key, None)
        self._kept[key] = read
        self._held += len(read.reading.units) - (len(before.reading.units) if before else 0)
        while self._held > self._most and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._held -= len(oldest.reading.units)


_REMEMBERED: Final = _Remembered(SENTENCES)


def read(
    text: CanonicalText, state: DocumentState | None, index: Searcher | None, knowledge: KnowledgeBase
) -> SentencedDocument:
    """Cut a document into sentences, with the clause labels of the index where it knows them."""
    clauses = tuple(index.clauses(text.document)) if index is not None else ()
    # What an entry was read with it holds, so that no other object can have its id while it is kept.
    words = (knowledge.jurisdictions, knowledge.vocabulary, knowledge.questions)
    key = (text.document, text.sha256, *map(id, words))
    found = _REMEMBERED.get(key)
    if found is None or not found.serves(text, state, clauses):
        units = tuple(units_of(text, clauses))
        identity = identify(text, knowledge.jurisdictions, state)
        made = SentencedDocument(text, identity, units, tuple(straight(u.text) for u in units), knowledge)
        _REMEMBERED.keep(key, found := _Read(state, clauses, made))
    return found.reading
